b = sch.get_block("argmin")
i, k = sch.get_loops(b)
k0, k1 = sch.split(k, [None, 16])
r = sch.rfactor(k0, -1)
