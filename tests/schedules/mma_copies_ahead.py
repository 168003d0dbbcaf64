kt = sch.get_loops(sch.get_block("A_shared"))[2]
sch.annotate(kt, "software_pipeline_stage", [0, 0, 1, 1, 1])
sch.annotate(kt, "software_pipeline_order", [0, 1, 2, 3, 4])
sch.annotate(kt, "software_pipeline_async_stages", [0])
