b = sch.get_block("C")
l = sch.get_loops(b)
f = sch.fuse(*l[:2])
sch.split(l[0], [None, 2])
