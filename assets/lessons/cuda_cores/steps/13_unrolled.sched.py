sch.annotate(r, "tileloom.order", "serpentine")
sch.annotate(k0, "tileloom.unroll_stages", 4)
