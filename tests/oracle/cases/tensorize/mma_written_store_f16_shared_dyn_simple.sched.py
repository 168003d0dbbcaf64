b0 = sch.get_block(name="C_init", func_name="main")
sch.tensorize(block_or_loop=sch.get_loops(block=b0)[-2], tensor_intrin="mma_fill_16x16_f16", preserve_unit_iters=True)
b1 = sch.get_block(name="C_store", func_name="main")
sch.tensorize(block_or_loop=sch.get_loops(block=b1)[-2], tensor_intrin="mma_store_16x16_f16_shared_dyn_simple_", preserve_unit_iters=True)
