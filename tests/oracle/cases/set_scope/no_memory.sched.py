sch.set_scope("B", 0, "")
