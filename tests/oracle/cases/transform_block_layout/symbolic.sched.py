sch.transform_block_layout("B", lambda i, j: (j, i))
