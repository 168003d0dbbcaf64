sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=64, offset=8)
sch.storage_align(block=b33, buffer_index=0, axis=-2, factor=64, offset=8)
