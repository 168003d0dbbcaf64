sch.cache_write("B_o", 0, "local")
