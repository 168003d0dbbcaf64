l, = sch.get_loops("B0")
v = sch.sample_perfect_tile(l, n=1)
