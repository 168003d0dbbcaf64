b = sch.get_block("B")
i, k, u = sch.get_loops(b)
r = sch.rfactor(k, 0)
