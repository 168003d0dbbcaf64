l = sch.get_loops(sch.get_block("Z"))
sch.bind(l[0], "blockIdx.x")
o, t = sch.split(l[1], [None, 8])
sch.bind(t, "threadIdx.x")
