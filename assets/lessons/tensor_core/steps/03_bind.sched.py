l20 = sch.fuse(l11, l14, preserve_unit_iters=True)
sch.bind(loop=l20, thread_axis="blockIdx.x")
l21 = sch.fuse(l12, l15, preserve_unit_iters=True)
sch.bind(loop=l21, thread_axis="threadIdx.y")
