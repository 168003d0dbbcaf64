sch.annotate(a, "tileloom.swizzle", 128)
sch.annotate(k0, "software_pipeline_stage", [0, 1])
sch.annotate(k0, "software_pipeline_order", [0, 1])
sch.annotate(k0, "software_pipeline_async_stages", [0])
