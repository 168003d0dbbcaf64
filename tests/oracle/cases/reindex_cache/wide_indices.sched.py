sch.reindex("C", "B")
sch.reindex_cache_read("B", 0, "shared", lambda i, j: (j // 4, i, j % 4))
sch.reindex_cache_write("C", 0, "shared", lambda i, j: (i + 0, j))
