x = sch.reindex("C", "B")
