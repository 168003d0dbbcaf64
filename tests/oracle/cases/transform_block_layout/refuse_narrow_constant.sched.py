sch.transform_block_layout("B", lambda i, j: (0, i, j))
