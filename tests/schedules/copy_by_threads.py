c = sch.cache_read(b, 0, "shared")
sch.bind(i, "blockIdx.x")
sch.compute_at(c, i)
x = sch.get_loops(c)[-1]
sch.bind(x, "threadIdx.x")
