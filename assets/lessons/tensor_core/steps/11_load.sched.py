sch.tensorize(block_or_loop=l54, tensor_intrin="wmma_load_16x16x16_f16_a_shared", preserve_unit_iters=True)
sch.tensorize(block_or_loop=l64, tensor_intrin="wmma_load_16x16x16_f16_b_trans_shared", preserve_unit_iters=True)
