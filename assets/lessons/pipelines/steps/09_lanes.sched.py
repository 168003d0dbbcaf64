sch.transform_layout(block=x_frag, buffer=("write", 0), index_map=lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2))
sch.transform_layout(block=y_frag, buffer=("write", 0), index_map=lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2))
sch.transform_layout(block=z_frag, buffer=("read", 0), index_map=lambda i, j: (i // 16, j // 16, i % 8 * 4 + j % 8 // 2, j % 16 // 8 * 4 + i % 16 // 8 * 2 + j % 2))
