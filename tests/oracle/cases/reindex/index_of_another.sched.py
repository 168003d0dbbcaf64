sch.reindex("B", "I")
