x = sch.reindex_cache_read("C", 0, "shared", lambda i, j: (j, i))
