sch.transform_layout("C", "A", lambda *i: (*i[:-1], i[-1] // 4, i[-1] % 4))
sch.transform_layout("C", "B", lambda *i: i[::-1])
sch.transform_layout("C", ("write", 0), lambda i, *x: [x[0], *x[1:], i])
