b = sch.get_block("C")
sch.cache_read(b, 0, "shared")
i, j, k = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
