b = sch.get_block("C")
c = sch.cache_read(b, 0, "shared")
sch.compute_inline(c)
sch.get_loops(c)
