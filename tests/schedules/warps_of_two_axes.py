sch.bind(i, "blockIdx.x")
j0, j1 = sch.split(j, [None, 8])
sch.bind(j0, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
