sch.annotate(k1, "software_pipeline_stage", [0, 0, 1])
sch.annotate(k1, "software_pipeline_order", [0, 1, 2])
# the inner pipeline is three statements now: its first copy, its loop, its last product
sch.unannotate(k0, "software_pipeline_stage")
sch.unannotate(k0, "software_pipeline_order")
sch.annotate(k0, "software_pipeline_stage", [0, 0, 2, 3, 3])
sch.annotate(k0, "software_pipeline_order", [3, 4, 1, 0, 2])
