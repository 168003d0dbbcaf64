sch.transform_layout("B", "B", lambda i, j: (i // 16, j, i % 16), pad_value=0.0)
