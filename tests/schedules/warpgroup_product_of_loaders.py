sch.annotate(x, "tileloom.role", "load")
sch.annotate(y, "tileloom.role", "load")
sch.annotate(x, "tileloom.registers", 40)
sch.annotate(t, "tileloom.registers", 232)
