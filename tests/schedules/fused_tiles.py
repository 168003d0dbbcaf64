i0, i1 = sch.split(i, [None, 32])
j0, j1 = sch.split(j, [None, 32])
sch.reorder(i0, j0, i1, j1)
sch.fuse(i0, j0)
