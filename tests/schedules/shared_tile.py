k0, k1 = sch.split(k, [None, 16])
c = sch.cache_read(b, 0, "shared")
sch.compute_at(c, k0)
a0, a1 = sch.get_loops(c)[-2:]
f = sch.fuse(a0, a1)
f0, f1, f2 = sch.split(f, [None, 16, 16])
sch.bind(f1, "threadIdx.y")
sch.bind(f2, "threadIdx.x")
