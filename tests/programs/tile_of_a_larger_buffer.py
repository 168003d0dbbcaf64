from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer((3, 64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    X = T.alloc_buffer((3, 64, 64), "float16", scope="shared")
    F = T.alloc_buffer((64, 64), "float16", scope="wmma.matrix_a")
    for p, q in T.grid(4, 4):
        with T.block("tile"):
            vp, vq = T.axis.remap("SS", [p, q])
            T.reads(X[2, vp * 16:vp * 16 + 16, vq * 16:vq * 16 + 16])
            T.writes(F[vp * 16:vp * 16 + 16, vq * 16:vq * 16 + 16])
            for x, y in T.grid(16, 16):
                with T.block("copy"):
                    vx, vy = T.axis.remap("SS", [x, y])
                    T.reads(X[2, vp * 16 + vx, vq * 16 + vy])
                    T.writes(F[vp * 16 + vx, vq * 16 + vy])
                    F[vp * 16 + vx, vq * 16 + vy] = X[2, vp * 16 + vx, vq * 16 + vy]
