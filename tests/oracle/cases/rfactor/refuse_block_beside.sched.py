b = sch.get_block("B")
i, k = sch.get_loops(b)
k0, k1, k2 = sch.split(k, [4, None, 8])
r = sch.rfactor(k1, 1)
