b = sch.get_block("C")
i, j, k = sch.get_loops(b)
xs = [sch.split(x, factors=[None, 2 ** n]) for n, x in enumerate([i, j])]
for a, _ in xs: sch.unroll(a)
g = (lambda *v: v[::-1])(1, 2)
