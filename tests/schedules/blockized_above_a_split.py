i, k = sch.get_loops(sch.get_block("C"))
k0, k1 = sch.split(k, [None, 4])
sch.blockize(i)
