b = sch.get_block("C")
sch.pad_einsum(b, [True, 8, 16])
sch.set_axis_separator(b, ("read", 0), [True])
