sch.reindex("B", "X")
