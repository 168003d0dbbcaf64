i, j, k = sch.get_loops(sch.get_block("Z"))
k0, k1 = sch.split(k, [None, 16])
sch.unroll(k0)
a, b = sch.split(k1, [2, 8])
