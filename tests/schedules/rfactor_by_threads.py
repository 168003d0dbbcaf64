b = sch.get_block("C")
i, k = sch.get_loops(b)
k0, k1 = sch.split(k, [None, 64])
f = sch.rfactor(k1, 0)
sch.bind(i, "blockIdx.x")
j = sch.get_loops(b)[-1]
sch.bind(j, "threadIdx.x")
sch.set_scope(f, 0, "local")
sch.compute_at(f, j)
