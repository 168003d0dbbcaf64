b = sch.get_block("conv")
x = sch.reindex_cache_write("pad", 0, "shared", lambda n, h, w, c: (c, h // 2, w, h % 2 + n))
y = sch.reindex_cache_read(b, 0, "local", lambda n, h, w, co, rh, rw, rc: (n, h, w, rc, rh, rw))
