sch.reindex("B", "A")
sch.reindex("B", "B")
sch.reindex_cache_read("B", 0, "shared", lambda n, i, j: (i, n, j))
