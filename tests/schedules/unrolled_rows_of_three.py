i0, i1 = sch.split(i, [None, 3])
sch.reorder(i0, k, i1, j)
sch.unroll(i1)
sch.unroll(j)
