sch.transform_layout("B", "B", lambda n, i, j: (n, i // 4, i % 4, j), pad_value=0.0)
sch.transform_layout("B", "A", lambda n, i, j: (n, i // 4, i % 4, j), pad_value=0.0)
