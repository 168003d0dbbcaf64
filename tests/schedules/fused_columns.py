c0, c1 = sch.split(je, [2, 2])
je = sch.fuse(c0, c1)
sch.unroll(je)
