// annotate(block_or_loop, key, value) and unannotate(block_or_loop, key): a note on a block or loop.
//
//   for i in 4: B      annotate(i, "pragma", 1)  →      for i in T.serial(4, annotations={"pragma": 1}): B
//
// A key that is there already keeps its value; taking away one that is not there is refused.
#include <fmt/format.h>

#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

const ir::Annotations& annotationsOf(const Draft& draft, Id id) {
  const auto& node = draft.tree().at(id);
  return node.isBlock ? ir::as<ir::BlockRealizeNode>(node.stmt)->block->annotations
                      : ir::as<ir::ForNode>(node.stmt)->annotations;
}

void setAnnotations(Draft& draft, Id id, const ir::Annotations& annotations) {
  if (draft.tree().isBlock(id)) {
    draft.replace(id, ir::edit(*draft.tree().block(id), [&](ir::BlockNode& n) { n.annotations = annotations; }));
  } else {
    draft.replace(id, ir::edit(*draft.tree().loop(id), [&](ir::ForNode& n) { n.annotations = annotations; }));
  }
}

Result<Handles> annotate(Draft& draft, const Arguments& arguments) {
  Id id = arguments.node("block_or_loop");
  const std::string& key = arguments.text("ann_key");
  auto value = annotationValue(arguments["ann_val"]);
  if (!value) return tl::unexpected(value.error());
  if (annotationsOf(draft, id).count(key)) return Handles{};
  ir::Annotations annotations = annotationsOf(draft, id);
  annotations.emplace(key, *value);
  setAnnotations(draft, id, annotations);
  return Handles{};
}

Result<Handles> unannotate(Draft& draft, const Arguments& arguments) {
  Id id = arguments.node("block_or_loop");
  const std::string& key = arguments.text("ann_key");
  ir::Annotations annotations = annotationsOf(draft, id);
  if (annotations.erase(key) == 0) {
    return refuse("InternalError", message("There is no annotation \"{}\"", key), {id});
  }
  setAnnotations(draft, id, annotations);
  return Handles{};
}

Parameter targetParameter() {
  return {"block_or_loop", ParameterType::BlockOrLoop, {}, "", "the block or loop", "计算块或循环"};
}
Parameter keyParameter() { return {"ann_key", ParameterType::String, {}, "", "name of the annotation", "注解的名字"}; }

}  // namespace

Instruction annotateInstruction() {
  return {"annotate",
          "Annotate",
          "blocks",
          {targetParameter(), keyParameter(), {"ann_val", ParameterType::Annotation, {}, "", "its value", "注解的值"}},
          Instruction::Results::None,
          annotate,
          "Put a note on a block or loop.",
          "给计算块或循环加注解。"};
}
Instruction unannotateInstruction() {
  return {
      "unannotate", "Unannotate",        "blocks",    {targetParameter(), keyParameter()}, Instruction::Results::None,
      unannotate,   "Take a note away.", "去掉注解。"};
}

}  // namespace loom::schedule
