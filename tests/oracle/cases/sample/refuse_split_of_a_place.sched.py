v = sch.sample_compute_location("B0", decision=-1)
x = sch.split(v, [8, 8])
