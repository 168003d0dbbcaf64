sch.pad_einsum("D", [1, 16, 8, 8])
sch.reverse_compute_inline("C")
