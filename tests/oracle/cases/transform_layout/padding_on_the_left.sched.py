sch.transform_layout("B", "B", lambda i: ((i + 3) // 8, (i + 3) % 8), pad_value=2.0)
