s = sch.get_block("S")
b = sch.get_block("B")
sch.blockize([s, b])
