i0, i1, i2 = sch.split(i, [None, 32, 4])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
sch.vectorize(i2)
