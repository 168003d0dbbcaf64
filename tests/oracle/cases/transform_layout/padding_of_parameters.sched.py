sch.transform_layout("B", "A", lambda i: (i // 8, i % 8), pad_value=lambda i, j: T.float32(4))
sch.transform_layout("B", "B", lambda i: (i // 4, i % 4), pad_value=7.0)
