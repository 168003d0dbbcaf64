l, = sch.get_loops("B0")
v = sch.sample_partitioned_tile(l, n=0)
