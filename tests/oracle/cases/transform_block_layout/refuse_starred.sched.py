sch.transform_block_layout("C", lambda *x: x)
