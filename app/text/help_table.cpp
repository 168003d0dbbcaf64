#include <array>

#include "app/text/help.h"

namespace loom::text {
namespace {

constexpr std::array kHelp{
    PanelHelp{
        "lesson",
        {"One chapter of the lesson: what its steps do, and what to look at. The list above has all chapters.",
         "课程的一章：它的步骤做了什么，该看什么。上面的列表中有所有章节。"},
        {"Underlined words point at something in another panel. `Code` is written as in TVMScript or CUDA.",
         "带下划线的词指向其他面板中的内容。`代码`的写法与 TVMScript 或 CUDA 相同。"},
        {"Numbers in the text were measured on an H200 or come from the model; the text says which.",
         "正文中的数字来自 H200 上的测量或模型，正文会说明是哪一种。"},
        {"Next and Back go by chapters (PgDn, PgUp), the arrow keys by steps, Play (F5) all the way. Hold the mouse "
         "over underlined words: what they mean lights up; a click opens its panel.",
         "“下一步”“上一步”按章移动（PgDn、PgUp），方向键按步移动，“播放”（F5）走完全程。"
         "把鼠标停在带下划线的词上，所指的内容会亮起；单击则打开对应的面板。"}},
    PanelHelp{
        "history",
        {"Every state that you or the lesson made, as a tree: each row is one step applied to the state above it; "
         "another step from the same state begins a branch.",
         "你和课程得到的所有状态，排成一棵树：每行是在其上方状态上应用的一步；从同一状态再走另一步就形成分支。"},
        {"The first way that was taken goes straight on, others branch off and are folded until one goes there. The "
         "filled dot has a time, a ring has none. The bold line leads to the state on show; the star marks the "
         "fastest, and green dots with a tick the path to it. `*` is pinned. **B** is the state that all panels are "
         "compared with. An orange triangle: slower "
         "than the measured state before. Numbers count the steps from the start, here and in the comments of the CUDA "
         "text, so that "
         "branches repeat them.",
         "最先走的路径一直向下，其他路径是分支，进入之前折叠着。实心点有时间，圆环没有。粗线通向当前状态，星号标出最快"
         "的状态，"
         "带短线的绿点是通往它的路径。`*` 表示已固定。**B** 是所有面板与之比较的状态。"
         "橙色三角：比之前测得的状态慢。编号从起点数起，CUDA 注释中也是，因此各分支会有相同的编号。"},
        {"Times are measured here, or recorded on the device that the hover names.",
         "时间在本机测得，或在悬停提示所说的设备上记录。"},
        {"Click a row to go there. Right-click: name, note, pin, edit the step's arguments and replay (F2), compare "
         "with, delete (Del). Ctrl+Z takes back.",
         "单击一行即可回到该状态。右键：名称、备注、固定、修改这一步的参数并重放（F2）、与之比较、"
         "删除（Del）。Ctrl+Z 撤销。"}},
    PanelHelp{
        "tvmscript",
        {"The program of this state, as TVM 0.22 prints it, letter by letter.",
         "这个状态的程序，与 TVM 0.22 打印的文本逐字相同。"},
        {"`+` and `~` mark lines that the last step added or changed; while two states are compared, what differs from "
         "the other one, and `−` lines that only the other has (the menu hides them). Names of threads and memories "
         "have the colour of their axis or level.",
         "`+` 和 `~` 标出上一步新增或修改的行；比较两个状态时，标出与另一状态的差别，`−` "
         "是只有另一状态才有的行（可在菜单中隐藏）。线程与存储的名称"
         "用其轴或层级的颜色。"},
        {"Nothing here is a number of its own: it is the program.", "这里没有另外的数字：它就是程序本身。"},
        {"Click a line: its loop, block or buffer is selected in every panel. Shift+click or Shift+↑↓ selects several, "
         "Ctrl+C copies, Ctrl+F finds.",
         "单击一行：它的循环、计算块或缓冲区在所有面板中被选中。Shift+单击或 Shift+↑↓ 选多行，Ctrl+C 复制，Ctrl+F "
         "查找。"}},
    PanelHelp{
        "cuda",
        {"The CUDA kernel that this state becomes; or why it can't be one, and the step that would make it one.",
         "这个状态变成的 CUDA 核函数；若还不能成为核函数，则说明原因以及能让它成为核函数的步骤。"},
        {"A comment before each block names it and the step that made it. `+` and `~` as in TVMScript.",
         "每个计算块前的注释写明其名称和产生它的步骤。`+` 和 `~` 与 TVMScript 面板相同。"},
        {"This text is what is compiled by NVRTC and measured.", "用 NVRTC 编译并测量的正是这段文本。"},
        {"Click a line: its loop and block are selected everywhere, its instructions in PTX and SASS. Ctrl+C, Ctrl+F "
         "as "
         "in TVMScript. File › Export writes it.",
         "单击一行：它的循环与计算块在各处被选中，它的指令在 PTX 和 SASS 中被选中。Ctrl+C、Ctrl+F 与 TVMScript "
         "面板相同。"
         "“文件 › 导出”可写出。"}},
    PanelHelp{
        "loopnest",
        {"The loops and blocks of the program as nested bars, in program order: what is inside a bar runs as often as "
         "the bar says.",
         "程序的循环和计算块，按程序顺序画成嵌套的条：条里的内容按条上的次数执行。"},
        {"Colour and letter say what runs a loop: blocks of the grid, threads, vector lanes, or one thread in turn. "
         "The "
         "columns: how often the body runs, floating-point operations, bytes moved. An outlined bar with `+` or `~` is "
         "new or "
         "changed; a dashed one is a preview. With the mouse on a bar, outlines mark the loops that came from the same "
         "split or fuse.",
         "颜色和字母表示由谁执行循环：网格的线程块、线程、向量 lane，还是一个线程依次执行。各列：循环体执行次数、"
         "浮点运算、搬运字节。带 `+` 或 `~` 的框是新增或改变的；虚线框是预览。鼠标停在条上时，同一次 "
         "split 或 fuse 得到的循环带轮廓。"},
        {"Counted from the program as written, over the whole grid.", "按程序所写计数，对整个网格。"},
        {"Click selects, Ctrl+click several. Drag a bar to reorder, drop it on another to fuse, drag the handle at its "
         "right end to split, double-click to bind. Right-click: every primitive, with the reason where one is not "
         "allowed.",
         "单击选择，Ctrl+单击多选。拖动条可重排，放到另一条上可融合，拖动右端的手柄可拆分，双击可绑定。"
         "右键：所有原语，不允许的会说明原因。"}},
    PanelHelp{
        "step",
        {"One primitive with its arguments as a form, made from the table of all primitives.",
         "一个原语及其参数的表单，由所有原语的表生成。"},
        {"What you fill in is worked out at once; the other panels show the program that it would give, marked as a "
         "preview. A refusal names the rule and, where there is one, the step that helps.",
         "填写的内容会立即计算；其他面板显示它将给出的程序，并标为预览。拒绝时会说明规则，以及可行的补救步骤。"},
        {"The predicted effect is the model's, for the program as written.", "预计效果由模型按程序所写给出。"},
        {"Enter applies, Escape leaves no trace.", "回车应用，Esc 不留痕迹地放弃。"}},
    PanelHelp{
        "performance",
        {"How fast each state is and why. **Steps**: throughput by step. **Roofline**: what each memory link and unit "
         "would allow. **Occupancy**: warps that fit, and what limits them. **Instructions**: the hot loop by pipe. "
         "**Stalls**: what warps wait for, and where. **Advice**: what costs most, and the steps, of all that were "
         "tried, that the model predicts to help. "
         "**Compare**: figures of two states. **Sizes**: "
         "the "
         "same steps on other sizes and element types.",
         "每个状态有多快、为什么。**各步**：每步的吞吐量。**屋顶线**：各存储链路与计算单元的上限。**占用率**："
         "能驻留的线程束及其限制。**指令**：热循环按执行管线的组成。**停顿**：线程束在等什么、在哪里。**建议**"
         "：主要瓶颈，以及试过的步骤中模型预测有用的那些。"
         "**比较**：两个状态的数据。**规模**：把同样的步骤用于其他规模和元素类型。"},
        {"The dashed line is cuBLASLt's best on the same data. Scales are logarithmic. A hollow mark is a model's, not "
         "a "
         "measurement.",
         "虚线是 cuBLASLt 在相同数据上的最好成绩。刻度为对数。空心记号是模型值，不是测量值。"},
        {"Measured here, recorded on a named device, or the model's; each hover says which and how.",
         "本机测量、在指明的设备上记录、或由模型给出；悬停提示会说明来源和方法。"},
        {"Click a point or a row to go to its state. Advice has a button that applies its steps. Ctrl+M measures all "
         "states.",
         "单击点或行即转到该状态。建议带有应用其步骤的按钮。Ctrl+M 测量所有状态。"}},
    PanelHelp{"problems",
              {"What was refused, can't be a kernel, is wrong, or failed while it was measured; below it what costs "
               "the most time in this state.",
               "被拒绝的步骤、不能成为核函数的状态、错误的结果、测量中的失败；其下是此状态的主要瓶颈。"},
              {"Each entry names the state, the rule, and the place.", "每条写明状态、规则和位置。"},
              {"Wrong results are found by comparing with the unscheduled program on the same inputs.",
               "错误结果通过与未调度的程序在相同输入上比较得到。"},
              {"Click an entry to go to its state. Where a step would help, a button applies it.",
               "单击一条即转到该状态。如有可行的步骤，按钮可直接应用。"}},
    PanelHelp{"console",
              {"Step lines, in the Python that TVM prints for a schedule.", "步骤行，即 TVM 为调度打印的 Python。"},
              {"A line that was refused says why, and changes nothing.", "被拒绝的行会说明原因，且不改变任何东西。"},
              {"The lines are those of the document; they run unchanged in TVM.",
               "这些行就是文档中的内容，可原样在 TVM 中运行。"},
              {"Type or paste lines, Enter applies; ↑ and ↓ bring back earlier ones.",
               "输入或粘贴步骤行，回车应用；↑ 和 ↓ 取回之前的行。"}},
    PanelHelp{
        "threads",
        {"Who computes what: the grid of blocks, the warps of one block, the lanes of one warp, and the elements that "
         "the chosen one touches in one statement. Below: what a request of that warp costs, as sectors of global "
         "memory "
         "or as the 32 banks of shared memory.",
         "谁计算什么：网格中的线程块、一个线程块的线程束、一个线程束的 lane，以及被选中者在一条语句中访问的元素。"
         "下面是该线程束一次请求的代价：全局内存的扇区，或共享内存的 32 个 bank。"},
        {"Darker to lighter: touched by the block, by the warp, by the lane; or, of whom one chooses, the fuller the "
         "more "
         "often touched. A bank in red is asked for more than once "
         "in a pass: a conflict of that many ways. In the grid the row and the column of the chosen block are lighter: "
         "these "
         "blocks share operands with it.",
         "由暗到亮：被线程块、线程束、lane 访问的元素；或按所选范围，颜色越满访问次数越多。红色的 bank 在一遍中被多次请"
         "求，即多路冲突。网格中与所选线程块同行、同列的较亮：它们与它共用操作数。"},
        {"By evaluating the addresses of the warp's 32 lanes in the program as written; fragments by the PTX tables or "
         "a "
         "probe of the architecture.",
         "按程序所写对线程束 32 个 lane 的地址求值；片段的分布来自 PTX 表或对该架构的探测。"},
        {"Choose statement, block, warp, lane and loop values above, or click in the pictures. Click an element or "
         "write "
         "its row and column: its owners. < and > go through the wavefronts of a request.",
         "在上方选择语句、线程块、线程束、lane 和循环值，或在图中单击。单击元素或写出其行列，可查看它的所有者。"
         "< 和 > 逐个查看一次请求的波前。"}},
    PanelHelp{
        "playback",
        {"The life of one block on a multiprocessor, from its start to its last store: above the whole of it, below "
         "one "
         "pass of the loop that brings in operands, a row for each pipe.",
         "一个线程块在 SM 上从开始到最后一次存储的全过程：上方为全程，下方为装入操作数的循环的一趟，每条执行管线"
         "一行。"},
        {"Bars above each other run at the same time. The busiest pipe of a phase sets its length; copies and shared "
         "memory are one pipe and take turns. Dashed boxes are waits that nothing hides; a barrier ends a phase.",
         "上下对齐的条同时执行。阶段的长度由其中最忙的执行管线决定；拷贝与共享内存共用一条执行管线，轮流进行。"
         "虚线框是暴露的（没有被隐藏的）等待；屏障结束一个阶段。"},
        {"From the model: the lengths add up to the predicted time. As compiled they come from the machine code, with "
         "its waits; as written, from the program's statements.",
         "来自模型：各段长度之和即预测时间。“按编译结果”时来自机器码及其等待；“按程序所写”时来自程序语句。"},
        {"Drag the cursor; ← → by a hundredth, Ctrl+← → by an action, PgUp PgDn by a k step, Home, End; Space plays, "
         "Esc ends. Loop nest, Thread binding and Memory hierarchy follow. A click selects the statement everywhere.",
         "拖动游标；← → 移动百分之一，Ctrl+← → 移动一个动作，PgUp PgDn 移动一个 k 步，Home、End；空格播放，Esc "
         "结束。循环嵌套、线程绑定、存储层次随之变化。单击条即在各处选中该语句。"}},
    PanelHelp{
        "iterations",
        {"All iterations of the block that does most, as a box with an axis for each of its iterators, cut as the "
         "schedule cuts it: into the blocks of the grid, their warps, the runs of each loop, the tiles of a tensor "
         "instruction.",
         "运算最多的那个计算块的全部迭代，画成一个长方体，每个迭代变量一条轴，并按调度切开：网格的线程块、线程束、"
         "每个循环的各次运行、张量内建函数的分块。"},
        {"The rows below are the cuts from the outside in; the one in front is drawn. Its pieces have the colour of "
         "their axis, the chosen one in full; what is not chosen at the cuts before is veiled.",
         "下面各行由外到内逐级切开，选中的一行就是图中所画的。各部分用其轴的颜色，被选中者为全色；"
         "之前各级未选中的部分变淡。"},
        {"By evaluating what the loops give to the block's iterators: a piece that is no box, or has gaps, is told as "
         "what it is.",
         "对循环赋给计算块迭代变量的值逐一求值而得：不成长方体或有间隔的部分会如实说明。"},
        {"Drag or Shift+arrows turn it, the wheel or Shift+PgDn cuts deeper, Ctrl+wheel comes nearer; explode pulls "
         "the "
         "pieces apart, the other sliders cut it open. Click a piece: Thread binding follows. Shift+Home resets.",
         "拖动或 Shift+方向键旋转，滚轮或 Shift+PgDn 逐级切开，Ctrl+滚轮缩放；“分离”拉开各部分，其余滑杆剖开。"
         "单击某一部分，“线程绑定”随之选中。Shift+Home 复位。"}},
    PanelHelp{
        "memory",
        {"The levels of memory from far to near as bands, each buffer at its level in the column of its operand, and "
         "what is copied between levels as arrows.",
         "从远到近的各级存储画成横带，缓冲区位于其层级和所属操作数的列中，层级之间的拷贝画成箭头。"},
        {"An arrow is as wide as its traffic. What the last step changed has the colour of change, with the number "
         "from "
         "before. The line at the foot of a buffer's box: when it is written and read in a block's life. Bars below: "
         "what a block takes of a multiprocessor; the fullest one limits how many blocks fit.",
         "箭头的宽度表示流量。上一步改变的部分用“改变”的颜色，并附上之前的数值。缓冲区框底部的线：它在线程块一生中何时"
         "被写入和读取。下面的条：一个线程块占用"
         "SM 资源的份额；最满的一条限制能容纳的线程块数。"},
        {"Bytes are counted from the program as written, or from the machine code, as chosen above; registers are the "
         "compiler's; limits and rates are the "
         "device's, with their source in the hover.",
         "字节数按程序所写或按编译结果计数，在上方选择；寄存器数来自编译器；上限与速率属于设备，悬停提示给出来源。"},
        {"Switch between one block and the whole grid. Click a buffer or arrow: its statement is selected everywhere.",
         "可在一个线程块和整个网格之间切换。单击缓冲区或箭头：对应语句在各处被选中。"}},
    PanelHelp{"ptx",
              {"The kernel in PTX, what NVRTC makes of the CUDA text.", "核函数的 PTX，由 NVRTC 从 CUDA 文本生成。"},
              {"The second number is the CUDA line that an instruction comes from. The hot loop is bracketed.",
               "第二列数字是指令来自的 CUDA 行。热循环用括线标出。"},
              {"Compiled here, for the architecture of the device.", "在本机为该设备的架构编译。"},
              {"Click a line: its CUDA line is selected, and the other way round. Ctrl+F finds.",
               "单击一行会选中它的 CUDA 行，反之亦然。Ctrl+F 查找。"}},
    PanelHelp{
        "sass",
        {"The machine code that runs, disassembled by nvdisasm.", "实际运行的机器码，由 nvdisasm 反汇编。"},
        {"The second number is the CUDA line. Then registers alive, clocks until the next issue, and the warp's six "
         "barriers: a square sets one, a bar waits for it. Where stalls were sampled, the share of samples that stood "
         "before the line, and why. The hot loop is bracketed; spills are red.",
         "第二列数字是 CUDA 行。其后是活跃寄存器数、到下次发射的周期数，以及线程束的六个屏障：方块设置，横条等待。"
         "采样过停顿时，还有停在该行之前的样本占比及原因。热循环用括线标出；寄存器溢出为红色。"},
        {"Compiled here. Clocks and barriers are the control bits in each instruction's encoding, registers alive our "
         "own analysis of it: neither is measured. Stalls are ncu's, sampled on the device named above.",
         "在本机编译。周期与屏障是每条指令编码中的控制位，活跃寄存器由我们自己分析得出：都不是测量值。停顿由 ncu "
         "在上方注明的设备上采样。"},
        {"Click a line: its CUDA line is selected, and the other way round. Click the line over the code: one "
         "iteration of "
         "the hot loop by CUDA line and step. Ctrl+F finds; a right click hides columns.",
         "单击一行会选中它的 CUDA 行，反之亦然。单击代码上方那一行：按 CUDA 行与步骤列出热循环的一趟。Ctrl+F "
         "查找；右键可隐藏列。"}},
};

}  // namespace

std::span<const PanelHelp> panelHelp() { return kHelp; }

const PanelHelp* helpOf(std::string_view panel) {
  for (const PanelHelp& row : kHelp) {
    if (row.panel == panel) return &row;
  }
  return nullptr;
}

}  // namespace loom::text
