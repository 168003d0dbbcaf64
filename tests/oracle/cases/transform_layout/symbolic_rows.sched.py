sch.transform_layout("C", ("read", 1), lambda i, j: (i // 16, j // 16, i % 16, j % 16))
sch.transform_block_layout("C", lambda i, j, k: (i, j // 16, j % 16, k))
