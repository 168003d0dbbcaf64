sch = tir.Schedule(Square)
i, j, k = sch.get_loops(sch.get_block("dot"))
t = sch.sample_perfect_tile(i, n=2)
sch.split(i, t)
