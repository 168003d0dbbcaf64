sch.transform_layout("B", "B", lambda i, j: (i // 16, j // 8, i % 16, j % 8), pad_value=lambda a, b, c, d: a * 16 + c)
