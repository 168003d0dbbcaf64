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
    // Lambdas and the buffers that arguments name.
    {"Arithmetic on names stands in lambdas only", "对名称的运算只能出现在 lambda 中"},
    {"The name \"{}\" in a lambda stands for no number", "lambda 中的名称“{}”不代表数"},
    {"a buffer's name, or a pair like (\"read\", 0)", "缓冲区名称，或形如 (\"read\", 0) 的一对"},
    {"a list of integers", "整数列表"},
    {"a lambda", "一个 lambda"},
    {"None, a number or a lambda", "None、一个数或一个 lambda"},
    {"A buffer is named by \"read\" or \"write\", not by \"{}\"", "缓冲区以 \"read\" 或 \"write\" 指定，而不是“{}”"},
    {"{} is no index that a lambda can give", "{} 不是 lambda 可以给出的下标"},
    {"A lambda over *args needs a known number of dimensions", "以 *args 为参数的 lambda 需要已知的维数"},
    {"the index map takes {} indices, and there are {}", "下标映射接受 {} 个下标，而实际有 {} 个"},
    {"the indices of one buffer differ in dtype", "同一缓冲区各下标的数据类型不同"},
    {"the range of an output of the index map is not known", "下标映射某个输出的取值范围未知"},
    {"an output of the index map does not begin at 0", "下标映射的某个输出不从 0 开始"},
    {"the index map is no sum of its iterators", "下标映射不是其各迭代变量之和"},
    {"the index map loses its input \"{}\"", "下标映射丢失了输入“{}”"},
    {"the index map is not bijective", "下标映射不是一一对应的"},
    {"an index map of the trace can't be read: {}", "无法读取轨迹中的下标映射：{}"},
    {"an index map", "下标映射"},
    {"it is no JSON", "它不是 JSON"},
    // transform_layout, set_axis_separator.
    {"{} is a match_buffer view, which TVM looks for among the parameters",
     "{} 是 match_buffer 视图，而 TVM 在函数参数中寻找它"},
    {"{} is a parameter, which TVM finds only from blocks of the outermost scope",
     "{} 是函数参数，TVM 只能从最外层作用域的计算块找到它"},
    {"the regions of a block name {}, which it does not access", "计算块的区域列出了 {}，但它并不访问"},
    {"pad_value gives {} values for an element, and must give one", "pad_value 对每个元素给出 {} 个值，而应给出一个"},
    {"The elements of {} are of type {}, but pad_value is of type {}", "{} 的元素类型为 {}，而 pad_value 的类型为 {}"},
    {"The new shape has elements that no index of {} reaches, and no pad_value says what they hold",
     "新形状中有 {} 的下标达不到的元素，而没有 pad_value 说明其值"},
    // transform_block_layout.
    {"The iterators of a block have no axis separators", "计算块的迭代变量没有轴分隔符"},
    {"The iterator \"{}\" does not begin at 0", "迭代变量“{}”不从 0 开始"},
    {"The map takes {} indices, and the block \"{}\" has {} iterators",
     "映射接受 {} 个下标，而计算块“{}”有 {} 个迭代变量"},
    {"Output {} of the map mixes spatial and reduce iterators of the block \"{}\"",
     "映射的第 {} 个输出混用了计算块“{}”的空间迭代变量和归约迭代变量"},
    {"The map is not affine, or does not take each point of the block \"{}\" to a point of its own",
     "该映射不是仿射的，或没有把计算块“{}”的各点一一对应到新的点"},
    {"Output {} of the map is narrower than the extents of the block",
     "映射的第 {} 个输出的位宽小于计算块各范围的位宽"},
    {"TVM cannot give loops to a block that has none", "TVM 无法为没有循环的计算块添加循环"},
    {"TVM cannot take all its loops from a block", "TVM 无法去掉计算块的全部循环"},
    // reindex.
    {"The block \"{}\" does not access {} in its body", "计算块“{}”的主体不访问 {}"},
    {"The block \"{}\" uses {} by its pointer", "计算块“{}”通过指针使用 {}"},
    {"The block \"{}\" holds other blocks", "计算块“{}”含有其他计算块"},
    {"The block \"{}\" accesses {} by several different indices", "计算块“{}”以几种不同的下标访问 {}"},
    {"The loops of the block \"{}\" are no chain from its scope down to it",
     "计算块“{}”的各循环不是从其作用域到它的一条链"},
    // reindex_cache_read, reindex_cache_write.
    {"The block \"{}\" accesses more than one element of {} at a time", "计算块“{}”每次访问 {} 的不止一个元素"},
    {"The iterator \"{}\" indexes {}, and the map does not use it", "迭代变量“{}”用于 {} 的下标，而映射没有用到它"},
    {"The map uses the iterator \"{}\", which does not index {}", "映射用到了迭代变量“{}”，而它不用于 {} 的下标"},
    // pad_einsum.
    {"The padding of the block \"{}\" must be {} positive integers, one for each iterator",
     "计算块“{}”的填充必须是 {} 个正整数，每个迭代变量一个"},
    {"The block \"{}\" does not index {} by its iterators alone", "计算块“{}”访问 {} 的下标不只是迭代变量"},
    {"The block \"{}\" accesses {} twice", "计算块“{}”两次访问 {}"},
    // decompose_padding.
    {"The body of the block \"{}\" is no single store", "计算块“{}”的主体不是单个写入"},
    {"The block \"{}\" does not store an if_then_else", "计算块“{}”写入的不是 if_then_else"},
    {"What the block \"{}\" stores outside is no constant", "计算块“{}”在界外写入的不是常数"},
    {"What the block \"{}\" stores inside has side effects", "计算块“{}”在界内写入的值有副作用"},
    {"The condition of the block \"{}\" holds everywhere", "计算块“{}”的条件处处成立"},
    {"The iterators of the block \"{}\" are not independent where its condition holds",
     "在条件成立处，计算块“{}”的各迭代变量不独立"},
    {"The block \"{}\" runs in strides", "计算块“{}”按步长遍历"},
    {"TVM finds no loop around the block \"{}\" alone", "TVM 找不到只包围计算块“{}”的循环"},
};

}  // namespace

std::span<const MessageWords> messagesOfPrimitives() { return kMessages; }

}  // namespace loom::text
