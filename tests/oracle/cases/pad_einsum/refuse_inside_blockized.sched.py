b, i, j, k = sch.get_loops("D")
o = sch.blockize(i)
sch.pad_einsum("D", [1, 16, 8, 8])
