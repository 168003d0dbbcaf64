i, k = sch.get_loops("y")
k0, k1 = sch.split(k, [None, 32])
sch.bind(i, "blockIdx.x")
sch.bind(k1, "threadIdx.x")
