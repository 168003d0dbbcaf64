b, i, j, k = sch.get_loops("D")
o = sch.blockize(i)
x = sch.reindex_cache_write("D", 0, "shared", lambda i, j, k: (j, i))
