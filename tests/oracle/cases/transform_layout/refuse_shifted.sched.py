sch.transform_layout("B", "B", lambda i: (i + 2), pad_value=2.0)
