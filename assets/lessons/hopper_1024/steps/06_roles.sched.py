sch.unannotate(block_or_loop=k_step, ann_key="software_pipeline_stage")
sch.annotate(block_or_loop=k_step, ann_key="software_pipeline_stage", ann_val=[0, 0, 7])
sch.annotate(block_or_loop=x_tile, ann_key="tileloom.role", ann_val="load")
sch.annotate(block_or_loop=y_tile, ann_key="tileloom.role", ann_val="load")
