b = sch.get_block("C")
sch.reindex_cache_read(b, "A", "shared", lambda i, j, k: (i, k))
