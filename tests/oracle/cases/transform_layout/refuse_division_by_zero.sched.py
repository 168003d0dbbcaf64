sch.transform_layout("C", "A", lambda i, j: [i // 0, j])
