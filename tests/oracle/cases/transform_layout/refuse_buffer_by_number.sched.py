b = sch.get_block("C")
sch.transform_layout(b, 0, lambda i, j: (j, i))
