sch.unannotate(block_or_loop=l17, ann_key="software_pipeline_stage")
sch.annotate(block_or_loop=l17, ann_key="software_pipeline_stage", ann_val=[0, 0, 2])
