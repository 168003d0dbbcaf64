b = sch.get_block("C")
sch.annotate(b, "note", "a\nb")
sch.annotate(sch.get_loops(b)[0], "notes", ["a\nb"])
