#pragma once

#include <string_view>

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Step, each in English and Chinese; {} stands for a number, a name or a text.
namespace loom::text::step {

inline constexpr Text kFilter{"Filter primitives", "筛选原语"};
inline constexpr Text kChoose{"Choose a primitive to apply to the state shown.", "请选择要应用于当前状态的原语。"};
inline constexpr Text kNoMatch{"No primitive matches.", "没有匹配的原语。"};
inline constexpr Text kGroupLoops{"Loops", "循环"};
inline constexpr Text kGroupBindings{"Bindings", "绑定"};
inline constexpr Text kGroupMemory{"Memory", "存储"};
inline constexpr Text kGroupReduction{"Reduction", "归约"};
inline constexpr Text kGroupBlocks{"Blocks", "计算块"};
inline constexpr Text kGroupInspect{"Inspect", "查询"};
/// In a parameter's field without a value.
inline constexpr Text kChooseValue{"choose", "选择"};
inline constexpr Text kTrying{"Trying what is legal…", "正在检查哪些可用……"};
/// In the list of values of a parameter: it depends on the parameters above it; or no value is legal.
inline constexpr Text kFirst{"Choose what stands above first.", "请先选择上面的参数。"};
inline constexpr Text kNothing{"Nothing to choose here.", "没有可选的内容。"};
/// {}: the name of the first parameter without a value.
inline constexpr Text kMissing{"Not chosen yet: {}", "尚未选择：{}"};
/// The numbers of loops and blocks that the step adds, removes and alters.
inline constexpr Text kOutcome{"+{} −{} ~{} loops and blocks", "循环与计算块：+{} −{} ~{}"};
inline constexpr Text kSame{"Changes no loop or block", "不改变任何循环或计算块"};
inline constexpr Text kApply{"Apply", "应用"};
inline constexpr Text kClear{"Clear", "清空"};
/// {}: an example of a value of the parameter, "[None, 16]".
inline constexpr Text kWrite{"e.g. {}", "例如 {}"};

/// Texts in the form of `split` on how tiles of warpgroups fill waves of SMs.
inline constexpr Text kWavesOfColumns{
    "Wave fit, {0} SMs, tiles of {1} rows: waves · columns is what the busiest SM computes; less is better.",
    "波的匹配：{0} 个 SM，分块 {1} 行：波数 · 列数是最忙的 SM 的计算量，越少越好。"};
inline constexpr Text kWavesOfRows{
    "Wave fit, {0} SMs, tiles of {1} columns: waves · rows is what the busiest SM computes; less is better.",
    "波的匹配：{0} 个 SM，分块 {1} 列：波数 · 行数是最忙的 SM 的计算量，越少越好。"};
/// Texts in the form of `annotate` on a cluster size: how many clusters of how many blocks run at a time, and the waves
/// of the grid. In kClustersCost, {2}: the blocks of these clusters; {3} and {5}: the blocks that would run, and the
/// waves, without clusters.
inline constexpr Text kClusters{"{0} clusters of {1} run at a time: {2} waves",
                                "{1} 个线程块的簇同时运行 {0} 个：{2} 波"};
inline constexpr Text kClustersCost{
    "{0} clusters of {1} run at a time, {2} of {3} places: {4} waves where {5} would do without",
    "{1} 个线程块的簇同时运行 {0} 个，占 {2} / {3} 个位置：{4} 波，不用簇为 {5} 波"};
/// {2}: the number of waves times the inner factor of `split`.
inline constexpr Text kWaves{"{0} tiles, {1} waves: {2}", "{0} 个分块，{1} 波：{2}"};
/// {0}: kWavesOfColumns or kWavesOfRows, filled in; {1}: kWaves for the factors that are chosen.
inline constexpr Text kWavesNow{"{0} Now: {1}.", "{0}当前：{1}。"};

/// At the parameter for a tensor intrinsic, above the intrinsics that lack least: none can be applied.
inline constexpr Text kNearest{"None is accepted. The nearest:", "没有可用的。最接近的是："};
/// The number of further tensor intrinsics that can't be applied yet: for operands like the program's, and for others.
inline constexpr Text kAlike{"{} more for such operands", "另有 {} 个适用于这类操作数"};
inline constexpr Text kOfOthers{"{} are for other buffers or types: no step leads there.",
                                "{} 个适用于其他缓冲区或类型：没有步骤可以到达。"};
inline constexpr Text kOpenPlan{"Plan: to tensor cores", "计划：到张量核心"};
/// What an intrinsic requires, in the order of tune::IntrinsicCheck::What.
inline constexpr Text kChecks[] = {{"buffers", "缓冲区"}, {"types", "类型"}, {"loops", "循环"}, {"memory", "存储"}};
/// One of kChecks, what the intrinsic requires, and (in kLacks) what is there.
inline constexpr Text kFits{"✓ {} {}", "✓ {} {}"};
inline constexpr Text kLacks{"✗ {} {}; here {}", "✗ {} {}；这里是 {}"};

/// A short description of a primitive, for the list of primitives, which has no room for the whole one.
struct Brief {
  std::string_view primitive;
  Text text;
};
inline constexpr Brief kBriefs[] = {
    {"add_unit_loop", {"Add a loop of one iteration", "加一个长度为 1 的循环"}},
    {"vectorize", {"Run the iterations as one vector", "把各次迭代作为一个向量执行"}},
    {"unroll", {"Write the iterations out", "把各次迭代逐一写出"}},
    {"bind", {"Give iterations to blocks or threads", "把迭代分给线程块或线程"}},
    {"cache_read", {"Copy what a block reads nearer", "把计算块读取的数据拷贝到更近处"}},
    {"cache_write", {"Write nearer, copy out afterwards", "先写到更近处，再拷贝出去"}},
    {"compute_at", {"Move a producer under a loop", "把生产者移到循环之下"}},
    {"reverse_compute_at", {"Move a consumer under a loop", "把消费者移到循环之下"}},
    {"compute_inline", {"Put a producer into its consumers", "把生产者代入消费者"}},
    {"reverse_compute_inline", {"Put a consumer into its producer", "把消费者并入生产者"}},
    {"set_scope", {"Keep a buffer in another memory", "把缓冲区放到另一存储层次"}},
    {"storage_align", {"Pad rows against bank conflicts", "给各行加填充，避免 bank 冲突"}},
    {"transform_layout", {"Store a buffer by other indices", "按其他下标存放缓冲区"}},
    {"reindex", {"Copy so that iterators are the indices", "拷贝后以迭代变量为下标"}},
    {"reindex_cache_read", {"Copy nearer, in a layout of your own", "按自定布局拷贝到更近处"}},
    {"reindex_cache_write", {"Write nearer, in a layout of your own", "按自定布局先写到更近处"}},
    {"set_axis_separator", {"Part dimensions of the flat memory", "为展平后的内存划分维度"}},
    {"transform_block_layout", {"Iterate over a block in another way", "换一种方式遍历计算块"}},
    {"pad_einsum", {"Pad a product to whole tiles", "把乘积填充成完整的分块"}},
    {"decompose_padding", {"Fill in the constant first, then copy", "先填常数，再拷贝内部数据"}},
    {"decompose_reduction", {"Give the start value its own block", "把初值拆成单独的计算块"}},
    {"rfactor", {"Add up parts first, then their sums", "先分部分归约，再归约各部分结果"}},
    {"blockize", {"Make a loop nest one block", "把一组循环包成一个计算块"}},
    {"tensorize", {"Replace a tile by an instruction", "用一条指令替换一个分块的计算"}},
    {"get_loops", {"Get the loops around a block", "取包围计算块的循环"}},
    {"get_output_blocks", {"Get the blocks whose results leave it", "取写出函数结果的计算块"}},
};

inline constexpr PanelHelp kHelp{
    {"One primitive with its arguments as a form, made from the table of all primitives.",
     "一个原语及其参数的表单，由所有原语的表生成。"},
    {"What you fill in is worked out at once; the other panels show the program that it would give, marked as a "
     "preview. A refusal names the rule and, where there is one, the step that helps.",
     "填写的内容会立即计算；其他面板显示它将给出的程序，并标为预览。拒绝时会说明规则，以及可行的补救步骤。"},
    {"The predicted effect is the model's, for the program as written.", "预计效果由模型按程序所写给出。"},
    {"Enter applies, Escape leaves no trace.", "回车应用，Esc 不留痕迹地放弃。"}};

}  // namespace loom::text::step
