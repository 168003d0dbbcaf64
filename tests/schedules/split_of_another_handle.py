b2 = sch.get_block("C")
i2, j2, k2 = sch.get_loops(b2)
x, y = sch.split(k2, [None, 4])
