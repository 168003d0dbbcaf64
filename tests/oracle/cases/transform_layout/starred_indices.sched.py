sch.transform_layout("C", "C", lambda i, *x: (*x, i))
