f = sch.fuse(i, j)
f0, f1 = sch.split(f, [None, 48])
sch.bind(f0, "blockIdx.x")
sch.bind(f1, "threadIdx.x")
