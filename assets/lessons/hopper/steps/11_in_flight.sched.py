sch.annotate(block_or_loop=tile, ann_key="tileloom.in_flight", ann_val=1)
