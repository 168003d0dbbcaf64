b = sch.get_block("C")
i, j, k = sch.get_loops(b)
sch.bind(i, "threadIdx.x")
sch.decompose_reduction(b, k)
