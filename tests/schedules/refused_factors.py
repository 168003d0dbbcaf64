b = sch.get_block("C")

# a comment
sch.split(sch.get_loops(b)[0], [3, 5])
