sch.annotate(block_or_loop=k_step, ann_key="software_pipeline_stage", ann_val=[0, 0, 5])
sch.annotate(block_or_loop=k_step, ann_key="software_pipeline_order", ann_val=[0, 1, 2])
sch.annotate(block_or_loop=k_step, ann_key="software_pipeline_async_stages", ann_val=[0])
