b = sch.get_block("B")
i, k, l = sch.get_loops(b)
r = sch.rfactor(l, 0)
