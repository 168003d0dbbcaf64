c = sch.cache_read(b, 0, "shared")
sch.compute_at(c, i)
w = sch.cache_write(b, 0, "local")
sch.reverse_compute_at(w, j)
