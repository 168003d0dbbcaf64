b = sch.get_block("$BLOCK")
i, = sch.get_loops(b)
sch.bind(i, "threadIdx.x")
