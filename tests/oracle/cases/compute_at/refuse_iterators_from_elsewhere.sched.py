b = sch.reindex("B", ("write", 0))
sch.compute_inline(b)
i, j = sch.get_loops(sch.get_block("D"))
sch.compute_at("B", j)
