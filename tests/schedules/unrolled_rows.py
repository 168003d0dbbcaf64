b = sch.get_block("copy")
i, j = sch.get_loops(b)
sch.unroll(j)
