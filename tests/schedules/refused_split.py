b = sch.get_block("C")
i, j, k = sch.get_loops(b)
sch.split(k, [5, 5])
