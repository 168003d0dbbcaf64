Prose first.

>>> sch = tir.Schedule(f)
Out[3]: 5
