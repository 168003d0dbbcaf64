b = sch.get_block("C")
l = sch.get_loops(b)
sch.parallel(l[0])
