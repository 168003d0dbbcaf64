sch.annotate(block_or_loop=x_copy, ann_key="tileloom.swizzle", ann_val=128)
sch.annotate(block_or_loop=y_copy, ann_key="tileloom.swizzle", ann_val=128)
