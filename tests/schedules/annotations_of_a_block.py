b9 = sch.get_block("C")
sch.annotate(b9, "software_pipeline_stage", [0, 1])
sch.annotate(b9, "more\nlines", 1)
