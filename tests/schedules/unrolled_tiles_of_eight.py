j0, j1 = sch.split(j, [None, 8])
sch.bind(j1, "threadIdx.x")
sch.unroll(j0)
