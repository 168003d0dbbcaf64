l11, l12, l13 = sch.split(loop=l4, factors=[8, 4, 2], preserve_unit_iters=True, disable_predication=False)
l14, l15, l16 = sch.split(loop=l6, factors=[8, 4, 2], preserve_unit_iters=True, disable_predication=False)
l17, l18, l19 = sch.split(loop=l8, factors=[16, 2, 2], preserve_unit_iters=True, disable_predication=False)
sch.reorder(l11, l14, l12, l15, l17, l18, l13, l16, l19)
