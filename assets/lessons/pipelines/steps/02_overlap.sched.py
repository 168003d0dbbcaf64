sch.annotate(block_or_loop=l17, ann_key="software_pipeline_stage", ann_val=[0, 0, 1])
sch.annotate(block_or_loop=l17, ann_key="software_pipeline_order", ann_val=[0, 1, 2])
