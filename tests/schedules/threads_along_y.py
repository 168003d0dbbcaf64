x, y = sch.split(i, [None, 4])
sch.bind(x, "blockIdx.x")
sch.bind(y, "threadIdx.y")
