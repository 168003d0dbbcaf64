# Threads share the sum of one element.
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
k0, k1 = sch.split(k, [None, 32])
sch.bind(i, "blockIdx.y")
sch.bind(j, "blockIdx.x")
sch.bind(k1, "threadIdx.x")
