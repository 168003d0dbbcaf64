b, i, j, k = sch.get_loops("D")
d = sch.decompose_reduction("D", b)
sch.transform_layout(d, "D", lambda b, i, j: (j, b, i))
sch.transform_block_layout("D_update", lambda b, i, j, k: (k, b, i, j))
