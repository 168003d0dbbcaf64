sch.reindex_cache_read("D", 0, "nowhere", lambda b, i, j, k: (b, i, k))
