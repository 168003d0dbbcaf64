sch.transform_layout("B", "B", lambda i, j: (i // 8, j, i % 8), pad_value=0.0)
