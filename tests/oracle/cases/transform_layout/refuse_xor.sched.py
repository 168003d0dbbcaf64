sch.transform_layout("B", "B", lambda i: (i ^ 1))
