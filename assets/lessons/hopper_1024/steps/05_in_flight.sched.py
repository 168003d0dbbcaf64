sch.unannotate(block_or_loop=k_step, ann_key="software_pipeline_order")
sch.annotate(block_or_loop=k_step, ann_key="software_pipeline_order", ann_val=[1, 2, 0])
sch.annotate(block_or_loop=tile, ann_key="tileloom.in_flight", ann_val=1)
