sch.annotate(k0, "software_pipeline_stage", [0, 0, 2])
sch.annotate(k0, "software_pipeline_order", [1, 2, 0])
sch.annotate(k0, "software_pipeline_async_stages", [0])
