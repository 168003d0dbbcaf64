b75 = sch.decompose_reduction(block=b10, loop=l17)
