sch.transform_block_layout("B", lambda n, i, j: (i // 5, i % 5))
