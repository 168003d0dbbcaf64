x0, x1, x2 = sch.split(sch.fuse(*sch.get_loops(x)[-2:]), [None, 128, 8])
sch.bind(x1, "threadIdx.x")
sch.vectorize(x2)
