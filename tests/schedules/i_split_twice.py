i, j, k = sch.get_loops(sch.get_block("Z"))
i0, i1 = sch.split(i, [None, 32])
i2, i3 = sch.split(i1, [None, 8])
