sch.unannotate(block_or_loop=l17, ann_key="software_pipeline_order")
sch.annotate(block_or_loop=l17, ann_key="software_pipeline_order", ann_val=[1, 2, 0])
