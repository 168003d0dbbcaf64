sch.reindex("C", ("read", 0))
sch.reindex("C", ("read", 1))
sch.reindex("C", ("write", 0))
sch.transform_layout("C", ("read", 0), lambda i, k: (i, k // 16, k % 16))
