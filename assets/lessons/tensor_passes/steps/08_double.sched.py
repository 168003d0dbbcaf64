sch.annotate(k_step, "software_pipeline_stage", [0, 0, 1])
sch.annotate(k_step, "software_pipeline_order", [0, 1, 2])
