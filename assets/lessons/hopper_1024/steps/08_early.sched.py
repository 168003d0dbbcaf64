sch.annotate(block_or_loop=x_tile, ann_key="tileloom.early", ann_val=1)
