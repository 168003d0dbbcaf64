b = sch.get_block("$BLOCK")
i, j = sch.get_loops(b)[:2]
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
