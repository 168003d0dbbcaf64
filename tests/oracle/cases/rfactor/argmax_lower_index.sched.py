b = sch.get_block("argmax")
i, k = sch.get_loops(b)
k0, k1 = sch.split(k, [None, 32])
r = sch.rfactor(k1, 1)
