sch.transform_layout("C", "A", lambda *i: [i[0], i[2]])
