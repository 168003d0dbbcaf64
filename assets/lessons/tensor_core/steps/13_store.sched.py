sch.tensorize(block_or_loop=l72, tensor_intrin="wmma_store_16x16x16_f32_global", preserve_unit_iters=True)
