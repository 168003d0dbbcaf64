// Builds a function of TensorIR from its definition in TVMScript, as TVM's script parser and script completion do.
// Internal to core/script.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/script/evaluator.h"

namespace loom::script {

// Reads a function of TVMScript. It is made as its base is, from the text of all nodes (SourceText) and then the
// IdSource that numbers new loops, blocks and buffers; both must outlive the reader. After a Refusal it must not be
// used again.
class FunctionReader : public Evaluator {
 public:
  using Evaluator::Evaluator;

  // Reads the definition of a function, whose decorator T.prim_func the caller has looked at: `isPrivate` is its
  // argument `private`, and a private function has no global_symbol. May be called for several functions of a text.
  // Throws Refusal, which holds the error, if the definition can't be read.
  ir::Function read(const Statement& definition, bool isPrivate);

  // Evaluates a module-level assignment, so that the functions that are read after it see its names. Throws Refusal if
  // that fails.
  void defineConstant(const Statement& assignment);

 protected:
  std::optional<Value> evaluateScopedCall(const std::string& name, const Node& node) override;
  ir::Expr symbolicExtent(const std::string& text, const Node& at) override;

 private:
  void defineSymbols(Node& quoted, const Node& at);
  ir::Expr symbol(const std::string& name, ir::DType dtype) const;
  enum class FrameKind { Function, Loop, Block, Init, Branch };
  // A block that is being read: what T.axis, T.reads, T.where and others in its body have set so far.
  struct OpenBlock {
    ir::BlockNode block;
    std::vector<ir::Expr> values;
    ir::Expr predicate;
    bool hasReads = false, hasWrites = false;
    int line = 0, column = 0;
  };
  struct Frame {
    FrameKind kind;
    OpenBlock* block = nullptr;
  };
  using Statements = std::vector<StatementPtr>;
  // Opens a frame and a scope of names for as long as it lives.
  struct Scope {
    Scope(FunctionReader& reader, FrameKind kind, OpenBlock* block = nullptr) : reader_(reader) {
      reader_.frames_.push_back({kind, block});
      reader_.pushScope();
    }
    ~Scope() {
      reader_.popScope();
      reader_.frames_.pop_back();
    }
    FunctionReader& reader_;
  };
  // Counts how deeply statements are nested while it lives; more than 300 levels are an error, so that no later
  // recursion overflows the stack.
  struct Nesting {
    Nesting(FunctionReader& reader, int line, int column, std::size_t levels = 1) : reader_(reader), levels_(levels) {
      reader_.nesting_ += levels_;
      if (reader_.nesting_ > 300) reader_.refuse(line, column, message("statements are nested more than 300 deep"));
    }
    ~Nesting() { reader_.nesting_ -= levels_; }
    FunctionReader& reader_;
    std::size_t levels_;
  };

  void parameter(const Parameter& p, ir::FunctionNode& f);
  ir::Stmt body(const Statements& list, std::size_t from = 0);
  // Appends what the statement makes. A statement whose effect lasts to the end of the list (a let, an attribute) takes
  // the rest of the list into it and returns true.
  bool statement(const Statements& list, std::size_t index, std::vector<ir::Stmt>& into);
  void expressionStatement(const Statement& s, std::vector<ir::Stmt>& into);
  bool scriptStatement(const std::string& name, const Node& call, std::vector<ir::Stmt>& into);
  void assignment(const Statement& s, std::vector<ir::Stmt>& into);
  void augmented(const Statement& s, std::vector<ir::Stmt>& into);
  ir::Stmt storeTo(const Node& target, const Value& value);
  Value bindAssigned(const std::string& name, Value value, const Node& at);
  // Returns the loops that the iterable of a for statement stands for, outermost first, without variable, id and body.
  std::vector<ir::ForNode> loopsOf(const Node& header);
  ir::Stmt forStatement(const Statement& s);
  ir::Stmt ifStatement(const Statement& s);
  ir::Stmt whileStatement(const Statement& s);
  void withStatement(const Statement& s, std::size_t item, std::vector<ir::Stmt>& into);
  ir::Stmt blockStatement(const Statement& s, std::size_t item, const Node& call);
  void initStatement(const Statement& s, std::size_t item, const Node& call);
  ir::Stmt within(const Statement& s, std::size_t item);

  // Returns the loop of `T.launch_thread(…)`, without variable and body.
  ir::ForNode launchOf(const Node& call);
  // Evaluates the calls by which lowered programs get memory (lowered_memory.cpp): T.allocate, T.decl_buffer and
  // T.Buffer over a pointer. Returns nothing for other names.
  std::optional<Value> memoryCall(const std::string& name, const Node& call);
  void keepAllocation(const ir::Buffer& buffer);
  Value viewOf(std::shared_ptr<ir::BufferNode> buffer, const Node& call);
  Value axisCall(const std::string& kind, const Node& node);
  ir::Var pushIter(ir::Range domain, ir::IterType type, const ir::Expr& value, ir::DType dtype);
  ir::Range domainOf(const Value& value, const Node& at);
  Value matchBuffer(const Node& node);
  void setRegions(const std::string& name, const Node& call);
  void addAttributes(ir::Annotations& into, const Node& call);
  OpenBlock& currentBlock(const Node& at, const std::string& what);
  OpenBlock* enclosingBlock();
  void detectRegions(OpenBlock& open);
  ir::Function finish(const Statement& definition, ir::FunctionNode f, ir::Stmt body, ir::Id rootId, bool isPrivate);

  std::vector<Frame> frames_;
  std::vector<std::pair<ir::Var, ir::Range>> loops_;  // the loops around the statement, outermost first
  std::vector<std::pair<ir::Var, ir::Expr>> lets_;    // the lets that the current statement begins
  std::vector<std::pair<ir::Expr, std::pair<std::string, ir::Expr>>> attributes_;  // the T.attr that it begins
  std::vector<ir::ForNode> launches_;                                              // the T.launch_thread that it begins
  std::vector<ir::Buffer> rootAllocs_;
  // The buffers of T.allocate, by their data variable.
  std::unordered_map<const ir::VarNode*, std::shared_ptr<ir::BufferNode>> allocations_;
  std::unordered_map<const ir::VarNode*, std::string> envThreads_;  // T.env_thread's thread tags, by variable
  // The buffers whose accesses count as a block's reads and writes: parameters and those of blocks around it.
  std::vector<ir::Buffer> visible_;
  std::unordered_map<std::string, ir::Expr> symbols_;  // variables of shapes given as text
  ir::FunctionNode* function_ = nullptr;
  bool readsDetected_ = false, writesDetected_ = false;  // whether the last finished block's regions were derived
  std::size_t nesting_ = 0;
};

}  // namespace loom::script
