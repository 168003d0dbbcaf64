b = sch.get_block("C")
i, j, k = sch.get_loops(b)
sch.fuse(i, j)
sch.split(k, [None, 7])
