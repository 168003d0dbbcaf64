sch.transform_block_layout("B", lambda n, i, j: (n, i // 4, i % 4, j))
