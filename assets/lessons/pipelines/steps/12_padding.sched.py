sch.storage_align(block=x_copy, buffer_index=0, axis=-2, factor=16, offset=8)
sch.storage_align(block=y_copy, buffer_index=0, axis=-2, factor=16, offset=8)
