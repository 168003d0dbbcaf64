i, j, k = sch.get_loops(sch.get_block("Z"))
x = sch.cache_read(sch.get_block("Z"), 0, "shared")
sch.bind(i, "blockIdx.x")
sch.compute_at(x, i)
