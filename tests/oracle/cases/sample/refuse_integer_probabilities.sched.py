v = sch.sample_categorical([1, 2], [1, 1])
