v = sch.sample_categorical([1, 2], [0.5, 0.5], decision=[1])
