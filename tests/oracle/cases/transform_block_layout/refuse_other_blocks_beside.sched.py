sch.transform_block_layout("C", lambda s, i, j: (s, i // 8, j // 5, i % 8, j % 5))
