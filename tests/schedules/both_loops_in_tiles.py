i, k = sch.get_loops(sch.get_block("C"))
i0, i1 = sch.split(i, [None, 16])
k0, k1 = sch.split(k, [None, 16])
