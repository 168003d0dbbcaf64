b = sch.get_block("C")
sch.set_axis_separator(b, ("read", 1), [1])
sch.set_axis_separator(b, ("read", 1), None)
