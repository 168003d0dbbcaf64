#include "app/text/messages.h"

namespace loom::text {
namespace {

// Refusals of primitives that rewrite what blocks compute.
constexpr MessageWords kMessages[] = {
    // rfactor.
    {"The reduction must be the first block in the outermost loop around it",
     "该归约必须是其最外层循环中的第一个计算块"},
    {"The loop \"{}\" feeds both spatial and reduce iterators", "循环“{}”同时用于空间迭代变量和归约迭代变量"},
    {"The loop \"{}\" feeds a spatial iterator; only a loop of the reduction can be factored",
     "循环“{}”用于空间迭代变量；只有归约的循环才能拆出部分归约"},
    {"The loop \"{}\" below a loop of the reduction feeds no iterator",
     "循环“{}”位于归约循环之下，却不用于任何迭代变量"},
    {"The loop \"{}\" must be serial", "循环“{}”必须是串行的"},
    {"factor_axis must be in [{}, {}] for the {} dimensions of {}, but is {}",
     "{3} 有 {2} 维，factor_axis 必须在 [{0}, {1}] 内，而不是 {4}"},
    {"TVM cannot factor a reduction beside whose loops another block, \"{}\", stands without loops of its own",
     "归约的循环旁边有没有自身循环的计算块“{}”，TVM 无法拆分这样的归约"},
    // Reductions that can be taken apart.
    {"The block \"{}\" is no reduction that can be taken apart: {}", "计算块“{}”不是可以拆开的归约：{}"},
    {"its init has statements that are not stores", "其 init 中有不是写入的语句"},
    {"its init stores to {} twice", "其 init 两次写入 {}"},
    {"its init does not store to {}", "其 init 没有写入 {}"},
    {"The block \"{}\" has more stores in its init than in its body", "计算块“{}”的 init 中的写入多于主体中的写入"},
    {"it names a value twice", "它给同一个值命名了两次"},
    {"it has {} stores in its init, but names {} values before its own stores",
     "其 init 中有 {} 个写入，而主体在写入之前命名了 {} 个值"},
    {"it has {} stores in its init, but {} statements", "其 init 中有 {} 个写入，而主体有 {} 条语句"},
    {"it has statements that are not stores", "其主体中有不是写入的语句"},
    {"it stores to {} what is not named before", "它写入 {} 的值没有事先命名"},
    {"it stores one value twice", "它把同一个值写入了两次"},
    {"it stores to {} twice", "它两次写入 {}"},
    {"{} and {} differ in shape", "{} 与 {} 的形状不同"},
    {"its stores go to elements of different indices", "其各个写入的下标不同"},
    {"The block \"{}\" combines values neither by a sum, product, minimum or maximum from its identity on, nor by a "
     "sum, "
     "argmax or argmin of pairs",
     "计算块“{}”归约数值的方式既不是从单位元开始的求和、求积、求最小值或最大值，也不是成对的求和、argmax 或 argmin"},
};

}  // namespace

std::span<const MessageWords> messagesOfPrimitives() { return kMessages; }

}  // namespace loom::text
