i, j, k = sch.get_loops(sch.get_block("Z"))
k0, k1 = sch.split(k, [None, 16])
sch.bind(i, "threadIdx.x")
sch.reorder(k0, j)
