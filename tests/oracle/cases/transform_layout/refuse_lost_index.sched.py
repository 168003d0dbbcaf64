sch.transform_layout("B", "B", lambda i, j: (i // 6, i % 6))
