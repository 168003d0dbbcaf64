j0, j1 = sch.split(j, [None, 4])
sch.bind(j0, "threadIdx.x")
sch.vectorize(j1)
