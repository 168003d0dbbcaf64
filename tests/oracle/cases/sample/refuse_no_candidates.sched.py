v = sch.sample_categorical([], [])
