l, = sch.get_loops("B0")
v = sch.sample_partitioned_tile(l, n=2, partition_pos=1, innerpart_factor=3)
x = sch.split(l, v)
