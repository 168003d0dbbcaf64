sch.reindex("B", "A", skip_simplify=True)
sch.reindex("B", ("write", 0), True)
