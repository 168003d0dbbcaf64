b, i, j, k = sch.get_loops("D")
o = sch.blockize(j)
sch.transform_block_layout(o, lambda b, i: (i, b))
sch.transform_layout(o, "D", lambda b, i, j: (b, j, i))
