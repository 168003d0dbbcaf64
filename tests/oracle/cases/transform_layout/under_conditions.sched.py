sch.transform_layout("C", "B", lambda s, i, j: (s, i // 8, j // 5, i % 8, j % 5), pad_value=1.0)
