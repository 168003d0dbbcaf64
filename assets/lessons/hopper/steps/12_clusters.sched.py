sch.annotate(block_or_loop=tile, ann_key="tileloom.cluster_x", ann_val=2)
sch.annotate(block_or_loop=y_tile, ann_key="tileloom.multicast", ann_val="x")
