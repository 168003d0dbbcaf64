i, k = sch.get_loops(sch.get_block("C"))
i0, i1 = sch.split(i, [None, 16])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
