# Each thread computes a vector of $LANES elements.
(i,) = sch.get_loops(sch.get_block("C"))
x, y = sch.split(i, [None, $LANES])
sch.bind(x, "threadIdx.x")
sch.vectorize(y)
