z = sch.decompose_padding("B", sch.get_loops("B")[0])
l = sch.get_loops("B")
sch.split(l[0], [None, 4])
