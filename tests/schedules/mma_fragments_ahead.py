ko = sch.get_loops(sch.get_block("C_o"))[3]
sch.annotate(ko, "software_pipeline_stage", [0, 0, 1])
sch.annotate(ko, "software_pipeline_order", [0, 1, 2])
