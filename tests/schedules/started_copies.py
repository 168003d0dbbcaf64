# After row_reads: the tile of A is copied an iteration ahead.
sch.annotate(k0, "software_pipeline_stage", [0, 1])
sch.annotate(k0, "software_pipeline_order", [0, 1])
sch.annotate(k0, "software_pipeline_async_stages", [0])
