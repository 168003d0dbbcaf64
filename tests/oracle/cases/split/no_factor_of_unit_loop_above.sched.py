b = sch.get_block("B")
n, i, j = sch.get_loops(b)
sch.split(n, [])
i, j = sch.get_loops(b)
