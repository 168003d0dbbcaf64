b = sch.get_block("C")
i, j = sch.get_loops(b)
sch.bind(i, "threadIdx.y")
sch.bind(j, "threadIdx.x")
