b = sch.get_block("C")
c = sch.cache_write(b, 0, "local")
sch.transform_layout(b, ("write", 0), lambda i, j: (i // 8, j // 16, i % 8, j % 16), pad_value=0)
d = sch.decompose_reduction(b, sch.get_loops(b)[0])
