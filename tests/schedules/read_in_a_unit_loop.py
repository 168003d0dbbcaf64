s = sch.cache_read(b, 0, "$SCOPE")
u = sch.add_unit_loop(i)
sch.compute_at(s, u)
