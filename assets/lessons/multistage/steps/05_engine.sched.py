sch.annotate(block_or_loop=x_tile, ann_key="tileloom.copy", ann_val="tma")
sch.annotate(block_or_loop=x_tile, ann_key="tileloom.swizzle", ann_val=128)
sch.annotate(block_or_loop=y_tile, ann_key="tileloom.copy", ann_val="tma")
sch.annotate(block_or_loop=y_tile, ann_key="tileloom.swizzle", ann_val=128)
