l0, l1 = sch.split(sch.get_loops("B")[0], [None, 8])
z = sch.decompose_padding("B", l1)
