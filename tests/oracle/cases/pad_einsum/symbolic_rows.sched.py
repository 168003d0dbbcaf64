sch.pad_einsum("C", [32, 16, 16])
i, j, k = sch.get_loops("C")
i0, i1 = sch.split(i, [None, 32])
