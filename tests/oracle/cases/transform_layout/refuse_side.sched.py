sch.transform_layout("D", ("rea", 0), lambda i: i)
