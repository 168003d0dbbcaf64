sch.annotate(block_or_loop=x_tile, ann_key="tileloom.role", ann_val="load")
sch.annotate(block_or_loop=y_tile, ann_key="tileloom.role", ann_val="load")
