sch.reindex_cache_read("D", 0, "shared", lambda b, i, j: (b, i, j))
