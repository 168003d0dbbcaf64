b, i, j, k = sch.get_loops("D")
o = sch.blockize(i)
x = sch.reindex("D", ("read", 1))
y = sch.reindex("D", "B")
