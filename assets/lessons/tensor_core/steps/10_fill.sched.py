b76, = sch.get_child_blocks(b75)
l77, l78 = sch.get_loops(block=b76)
sch.tensorize(block_or_loop=l77, tensor_intrin="wmma_fill_16x16x16_f32", preserve_unit_iters=True)
