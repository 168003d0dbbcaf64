sch.transform_block_layout("D", lambda b, i, j, k: (b * 33 + i, j, k))
sch.transform_block_layout("C", lambda b, i, j: (b * 297 + i * 9 + j,))
