i, = sch.get_loops(sch.get_block("B"))
o, v = sch.split(i, [None, $LANES])
sch.bind(o, "threadIdx.x")
sch.vectorize(v)
