from tvm.script import tir as T


@T.prim_func
def main(A: T.Buffer(($A), "$IN"), B: T.Buffer(($B), "$IN"), C: T.Buffer(($C), "$OUT")):
    for $LOOPS in T.grid($EXTENTS):
        with T.block("C"):
            $ITERATORS = T.axis.remap("$KINDS", [$LOOPS])
            with T.init():
                C[$AT] = $INIT
            C[$AT] = $VALUE
