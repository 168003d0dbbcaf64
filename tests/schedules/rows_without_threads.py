b = sch.get_block("$BLOCK")
i, j = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
