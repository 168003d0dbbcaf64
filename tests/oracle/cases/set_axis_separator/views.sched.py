sch.set_axis_separator("B_o", ("read", 0), [1])
sch.set_axis_separator("B_o", ("write", 0), [1])
