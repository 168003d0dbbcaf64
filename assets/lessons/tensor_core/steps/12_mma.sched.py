l79, l80, l81 = sch.get_loops(block=b0)
sch.tensorize(block_or_loop=l79, tensor_intrin="wmma_sync_16x16x16_f16f16f32_trans", preserve_unit_iters=True)
