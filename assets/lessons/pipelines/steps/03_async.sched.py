sch.annotate(block_or_loop=l17, ann_key="software_pipeline_async_stages", ann_val=[0])
