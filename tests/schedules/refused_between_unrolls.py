sch.unroll(i1)
sch.split(k, [5, 5])
sch.unroll(k)
