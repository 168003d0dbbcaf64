sch.pad_einsum("D", [2.0, 16, 8, 1])
