i, j, k = sch.get_loops(sch.get_block("Z"))
sch.bind(i, "blockIdx.x")
b = sch.decompose_reduction("Z", k)
