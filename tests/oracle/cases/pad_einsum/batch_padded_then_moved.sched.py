sch.pad_einsum("D", [2, 16, 8, 8])
b, i, j, k = sch.get_loops("D")
i0, i1 = sch.split(i, [None, 16])
sch.compute_at("A_pad", i0)
