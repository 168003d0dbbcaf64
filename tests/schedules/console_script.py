block = sch.get_block("Z")
for n in range(2):
    loop = sch.get_loops(block)[n]
    sch.bind(loop, f"blockIdx.{'xy'[n]}")
