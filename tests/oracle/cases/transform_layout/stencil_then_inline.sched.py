sch.transform_layout("B", "B", lambda i, j: (i // 2, j // 10, i % 2, j % 10))
sch.compute_inline("B")
