sch.transform_block_layout("B", lambda i, j: (j // 12, i // 16, j % 12, i % 16))
