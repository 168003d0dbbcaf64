b = sch.get_block("C")
sch.annotate(b, "note", [])
