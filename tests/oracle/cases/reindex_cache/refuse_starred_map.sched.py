sch.reindex_cache_read("C", 7, "nowhere", lambda *i: [*i])
