i, k = sch.get_loops(sch.get_block("C"))
sch.parallel(i)
sch.split(k, [None, 2])
