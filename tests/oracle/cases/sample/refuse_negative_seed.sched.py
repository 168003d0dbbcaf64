sch.seed(-5)
