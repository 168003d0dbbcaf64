b = sch.get_block("C")
c_local = sch.cache_write(b, 0, "local")  # when cache_write
x, y, k = sch.get_loops(b)
bx, vx = sch.split(x, [None, ?tile_x])
by, vy = sch.split(y, [None, ?tile_y])
sch.bind(bx, "blockIdx.x")
sch.bind(by, "blockIdx.y")
sch.bind(vx, "threadIdx.x")
sch.bind(vy, "threadIdx.y")
sch.reverse_compute_at(c_local, vy)  # when cache_write
ko, ki = sch.split(k, [None, ?tile_k])
a_shared = sch.cache_read(b, 0, "shared")  # when cache_read
b_shared = sch.cache_read(b, 1, "shared")  # when cache_read
sch.compute_at(a_shared, ko)  # when cache_read
sch.compute_at(b_shared, ko)  # when cache_read
fa = sch.fuse(*sch.get_loops(a_shared)[-2:])  # when cache_read
ta, fa = sch.split(fa, [?tile_y, None])  # when cache_read
ua, fa = sch.split(fa, [?tile_x, None])  # when cache_read
sch.bind(ta, "threadIdx.y")  # when cache_read
sch.bind(ua, "threadIdx.x")  # when cache_read
sch.vectorize(fa)  # when cache_read*vectorize
fb = sch.fuse(*sch.get_loops(b_shared)[-2:])  # when cache_read
tb, fb = sch.split(fb, [?tile_y, None])  # when cache_read
ub, fb = sch.split(fb, [?tile_x, None])  # when cache_read
sch.bind(tb, "threadIdx.y")  # when cache_read
sch.bind(ub, "threadIdx.x")  # when cache_read
sch.vectorize(fb)  # when cache_read*vectorize
init = sch.decompose_reduction(b, ko)
