x = sch.cache_read("Z", 0, "shared")
i, j, k = sch.get_loops(sch.get_block("Z"))
sch.compute_at(x, j)
