b = sch.get_block("C")
i, j, k = sch.get_loops(b)
# the last block has fewer rows
i0, i1 = sch.split(i, [None, 24])
sch.bind(i0, "blockIdx.x")
sch.bind(j, "threadIdx.x")
