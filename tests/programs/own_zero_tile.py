from tvm import tir
from tvm.script import tir as T


@T.prim_func
def product(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float32")):
    for i, j, k in T.grid(64, 64, 64):
        with T.block("dot"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vj, vk])


@T.prim_func
def zero_tile_desc(c: T.handle) -> None:
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=16, scope="wmma.accumulator")
    with T.block("root"):
        T.reads()
        T.writes(C[0:16, 0:16])
        for i, j in T.grid(16, 16):
            with T.block("zero"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = T.float32(0)


@T.prim_func
def zero_tile_impl(c: T.handle) -> None:
    C = T.match_buffer(c, (16, 16), "float32", align=64, offset_factor=16, scope="wmma.accumulator")
    with T.block("root"):
        T.reads()
        T.writes(C[0:16, 0:16])
        T.evaluate(T.tvm_fill_fragment(C.data, 16, 16, 16, C.elem_offset // 256 + C.elem_offset % 256 // 16, T.float32(0), dtype="handle"))


tir.TensorIntrin.register("$NAME", zero_tile_desc, zero_tile_impl, override=True)
sch = tir.Schedule(product)
block = sch.get_block("dot")
i, j, k = sch.get_loops(block)
i, ii = sch.split(i, factors=[None, 16])
j, jj = sch.split(j, factors=[None, 16])
k, kk = sch.split(k, factors=[None, 16])
sch.reorder(i, j, k, ii, jj, kk)
tile = sch.blockize(ii)
kept = sch.cache_write(tile, 0, "wmma.accumulator")
sch.reverse_compute_at(kept, j)
first = sch.decompose_reduction(tile, k)
sch.tensorize(first, "$NAME")
