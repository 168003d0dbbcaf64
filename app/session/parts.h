#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <utility>

#include "app/session/described_device.h"
#include "app/session/job_queue.h"
#include "app/session/proposals.h"
#include "app/session/workbench.h"
#include "core/intrin/intrinsic.h"
#include "core/process/file_lock.h"

namespace loom::workbench {

/// What the user says of a state.
struct StateLabels {
  std::string name, note;
  bool pinned = false;
  friend bool operator==(const StateLabels&, const StateLabels&) = default;
};

/// What the user did and can undo.
struct Action {
  using Kind = Change::Kind;
  Kind kind = Kind::kGo;
  int before = 0, after = 0;                                  ///< current states
  int node = 0;                                               ///< removed, edited or marked; kApply: the last applied
  bool walk = false;                                          ///< kGo: by steps to a neighbour; the next one joins it
  std::shared_ptr<const document::History> older{}, newer{};  ///< kEdit; `node` is the newer's
  StateLabels marksBefore{}, marksAfter{};                    ///< kMark
  /// Where it hid or revealed states: those that were and are deleted.
  std::optional<std::pair<std::vector<int>, std::vector<int>>> removed{};
  int states = 0;                ///< kRemove: how many
  std::vector<Problem> broke{};  ///< kEdit: refusals of steps that follow
  int number = 0;                ///< of `node`, but for kGo
  std::string line{};            ///< its step

  bool changesTree() const { return removed || kind == Kind::kEdit || kind == Kind::kMark; }
  void noteRemoved(const std::vector<int>& was, const std::vector<int>& is) {
    if (was != is) removed.emplace(was, is);
  }
};

struct Workbench::Parts {
  explicit Parts(Options o) : options(std::move(o)), environment{&intrinsics} {}

  Options options;
  intrin::Library intrinsics;  ///< filled once by the deriving thread, before the first target
  std::atomic<bool> intrinsicsReady = false;
  schedule::Environment environment;  ///< of the target, the UI thread's: work takes a copy along
  std::vector<std::shared_ptr<const document::OwnIntrinsics>> owned;  ///< of all targets: their work may still run
  const std::shared_ptr<DeviceCache> described =
      std::make_shared<DeviceCache>(document::DeviceSources{options.assets, options.dataFolder, std::nullopt, {}});

  // Finished work, run by `poll` on the UI thread; each knows for which target it was.
  std::mutex mutex;
  std::vector<std::function<void()>> done;
  std::string progress;  ///< guarded by `mutex`

  // The UI thread's.
  std::uint64_t revision = 1, opened = 0, orders = 0;
  bool opening = false;
  std::optional<Error> openProblem;
  std::optional<document::Target> target;
  std::map<std::string, document::Translated> lessons;
  std::map<int, int> lastChild;
  std::vector<int> way;         ///< of `way`; empty once the current state or the tree have changed
  std::size_t scrubAction = 0;  ///< size of `undo` with a drag's action as its last; 0: no drag goes on
  int chosenChapter = -1;
  std::vector<int>
      chapters;  ///< by node as the target was opened: the first that it leads to; −1: none. Empty: unknown
  bool playing = false;
  double played = 0;
  std::vector<Action> undo, redo;
  std::map<int, std::shared_ptr<const Program>> programs;
  std::set<int> asked;
  std::set<int> givenUp;  ///< derived when their compilation had been cancelled: compiled when the user comes to them
  std::deque<int> underived;  ///< to be derived when those asked for are there
  std::map<int, document::KnownTime> timed;
  std::map<int, Result<compile::Binary>> compiled;
  std::map<int, Result<PtxText>> ptx;
  std::set<int> ptxAsked;
  std::map<std::string, std::shared_ptr<const FragmentLayout>> fragments;  ///< by kernelName; null: asked for
  /// What was asked of the model, and the best that came.
  struct Modelled {
    std::shared_ptr<const Program> from;
    ModelBasis asked = ModelBasis::kSource;
    std::shared_ptr<const StateModel> made;
  };
  std::map<int, Modelled> models;
  std::shared_ptr<const Result<model::Device>> modelDevice;
  std::vector<model::Device> describedDevices;
  std::string chosenArchitecture;  ///< of `device.chosen`
  Ceilings ceilings;
  /// Grows when another device is chosen: jobs for the one before are out of date.
  std::atomic<std::uint64_t> deviceOrder = 0;
  std::uint64_t othersAt = 0;  ///< revision of the next one
  bool others = false;         ///< Workbench::timesAreFromAnotherDevice

  /// Samples that were looked up, and beside the machine code that they are of.
  struct Stalled {
    std::shared_ptr<const Program> from;                 ///< looked up for
    document::StateStalls file;                          ///< found, or sampled since
    std::shared_ptr<const sass::SassKernel> machine;     ///< that they are held to
    std::shared_ptr<const document::StallResult> known;  ///< null until it is there
  };
  std::map<int, Stalled> stalled;
  /// By node, what was or is being executed.
  struct Checked {
    std::shared_ptr<const Program> from;
    std::shared_ptr<const Result<exec::Report>> report;  ///< null until it is there
    bool underWay = false;                               ///< the rest of it is being looked at
    bool isWrong() const;
    /// The budget gave a part only.
    bool isPart() const { return report && *report && (*report)->status == exec::Report::Status::Partly; }
  };
  std::map<int, Checked> checked;
  std::stop_source checkStop;  ///< of the one under way

  bool samplerAsked = false;
  std::optional<Result<std::string>> sampler;
  std::stop_source sampling;  ///< of the one under way

  // The modelling thread's.
  std::optional<Result<compile::Toolkit>> toolkit;
  std::optional<document::StallStore> stallStore;

  std::optional<Error> compilerProblem;
  std::vector<int> untimed;  ///< derived, and their known results not asked for yet
  std::set<int> compileAsked;
  std::vector<int> uncompiled;                           ///< asked for, and not with a compiler yet
  int compiling = 0, compileDone = 0, compileTotal = 0;  ///< states: with a compiler; since none was; asked for since
  int compileRound = 0;                                  ///< grows when what is under way is given up
  bool noCompiler = false;
  std::optional<document::VendorLine> vendor;
  std::optional<gpu::Matmul> matmul;
  DeviceStatus device;
  BackgroundStatus activity;
  int measuring = 0;
  std::vector<Problem> refusals, problems;
  std::vector<std::string> machineRemarks;  // of the bench, once it is there: results that are not kept, say
  std::vector<ir::Id> selected;
  ThreadChoice chosenThread;
  std::optional<Preview> preview;
  /// Of `compareWith`: the values of the current state, marked against the other's.
  struct Compared {
    int node = 0;
    std::shared_ptr<const Program> from, against;  ///< asked for
    std::shared_ptr<const Program> marked;         ///< null until it is there
    std::shared_ptr<const Program> markedOther;    ///< the other's, marked against it; comes with `marked`
  };
  std::optional<Compared> compared;
  bool otherSide = false;                          ///< Workbench::OtherSide lives, and nothing was done there yet
  std::vector<int> otherWay;                       ///< of `way` there
  std::atomic<std::uint64_t> previewOrder = 0;     ///< of the latest; jobs that find another one are out of date
  std::map<int, std::optional<double>> predicted;  ///< µs by state; the predicting thread's
  std::uint64_t predictedFor = 0;                  ///< target that they are of; the predicting thread's
  std::string predictedOn;                         ///< device that they are of; the predicting thread's
  /// Ends a search from any thread.
  struct Stop {
    std::atomic<bool> flag = false;
    std::stop_source source;            ///< of what is executed
    std::atomic<int> done = 0, of = 0;  ///< programs
  };
  /// Of `proposals`, and that of states left since.
  struct Proposing {
    std::shared_ptr<const Program> from;
    std::uint64_t device = 0;  ///< deviceOrder
    std::shared_ptr<const Proposals> made;
    std::shared_ptr<Stop> stop;
  };
  Proposing proposing;
  bool wantsProposals = true;
  std::shared_ptr<const Program> proposedAnyway;  ///< the state where they are wanted all the same
  std::deque<Proposing> proposed;                 ///< done
  std::optional<model::TimelinePosition> moment;
  std::optional<Replay> replay;
  std::atomic<std::uint64_t> replayOrder = 0;  ///< as previewOrder
  std::optional<tune::Sweep> sweep;
  SweepChoice sweepChoice;
  std::atomic<std::uint64_t> sweepOrder = 0;    ///< as previewOrder
  int selectedLine = 0, selectedLineNode = -1;  ///< of the CUDA text
  bool modified = false, autosaveDue = false, autosaveFails = false;
  int saving = 0;                                           ///< files on their way
  std::optional<std::filesystem::file_time_type> fileTime;  ///< of the document's file, as we know it
  std::optional<Written> written;
  std::optional<std::filesystem::path> recovery;
  const std::string session = newSession();       ///< names its autosave: no other session has it
  std::optional<process::FileLock> autosaveLock;  ///< the deriving thread's

  std::unique_ptr<document::Bench> bench;     ///< the benching thread's, but for `cancel`
  std::unique_ptr<document::Bench> compiler;  ///< the compiling thread's, but for `cancel`: measures nothing

  // Last: their threads end before what they use.
  std::unique_ptr<JobQueue> deriving, benching, compilingQueue, predicting, modelling, checking, proposingQueue;

  /// From any thread: `take` runs on the UI thread in the next `poll`.
  void finish(std::function<void()> take);
  /// The same, dropped when another target has been opened meanwhile.
  void finishFor(std::uint64_t target, std::function<void()> take);
  /// The same for the preview of that order, dropped when it is no longer the latest.
  void finishPreview(std::uint64_t target, std::uint64_t order, std::function<void(Preview&)> take);
  /// Of lines at the current state, or at one before it; `edit`: what they do there otherwise (Preview).
  void startPreview(const std::string& lines, int at, const std::string& edit);
  /// What the model says of both; for the predicting thread, some 100 ms.
  void predict(std::uint64_t target, std::uint64_t order, int node, const schedule::State& before,
               const std::shared_ptr<const Program>& after, const std::string& deviceName);
  /// Has the preview's program compiled and its model deepened. UI thread.
  void compilePreview(std::uint64_t target, std::uint64_t order, const std::shared_ptr<const Program>& program,
                      const std::string& deviceName);
  /// Loads the intrinsics where that's still to be done. Deriving thread.
  std::optional<Error> ready();
  void openWith(std::function<Result<document::Target>()> make, bool unsaved = false);
  void take(document::Target made);
  /// Asks for the values of every state, in the background.
  void wantAllDerived();
  /// Puts another tree in the place of the target's; what was known of states is asked for anew.
  void replaceHistory(const document::History& by);
  void rememberFileTime();
  void say(const std::string& what);

  /// Refusals that an undone edit takes with it, or brings again.
  void dropRefusals(const std::vector<Problem>& of);
  /// Where `stepForward` leads from a state; −1: nowhere.
  int childAhead(int node) const;
  /// Applies lines at a state. The last state becomes current, or the one on the way to it with that number.
  ApplyOutcome applyAt(int at, const std::string& lines, std::optional<int> number = {});
  bool onLessonsWay() const;  ///< as Workbench has it
  /// Makes `node` current without a trace in undo.
  void show(int node);
  /// The same with one. `joins`: steps to a neighbour, one after the other, are one action.
  void go(int node, bool joins);
  /// Keeps it, with the name of its state, for undo. Nothing of what was undone can be redone after it.
  void did(Action action);
  StateLabels marksOf(int node) const;
  void setMarks(int node, const StateLabels& marks);
  /// The same with a trace in undo. What is typed letter by letter is one action.
  void mark(int node, const StateLabels& marks);
  void changed();  ///< the document has
  void derive(int node);
  /// The same, in its turn: a history may have thousands of states, each with a copy of its path to be made.
  void wantDerived(int node);
  void deriveSome();  ///< once a frame
  void forget();      ///< all that is derived of the target
  /// Has what is no longer needed freed by another thread: a lesson's states take longer than a frame.
  template <typename T>
  void discard(T what) {
    deriving->submit([kept = std::make_shared<T>(std::move(what))] {});
  }
  void fetchKnownResults();
  /// Has the marks of a comparison made where the states are there. Once a frame.
  void markCompared();
  /// Has the state compiled, unless that is done, under way, or impossible.
  void wantCompiled(int node);
  /// All that models say is of figures, or of an architecture, that are no longer those.
  void deviceChanged();
  /// Of the device here by what is known of it. Any thread.
  static std::string measuredOn(const document::DeviceSources& sources);
  /// Gives up the search for proposals, unless it is done: then they are kept.
  void endProposing();
  void predictReplay(std::uint64_t order, std::shared_ptr<const document::History> before,
                     const std::vector<int>& places);
  /// Has both programs compiled; their times take the place of that effect, which is of them as they are written.
  void compileReplay(std::uint64_t order, int node, document::KernelText before, document::KernelText after,
                     const std::string& deviceName);
  /// Of a program by its machine code, µs; none where there is no model of that. For the modelling thread.
  std::optional<double> compiledEstimate(const Result<model::Device>& figures, const document::KernelText& kernel,
                                         const compile::Binary& binary);
  /// The same; for the proposing thread, which waits for those that compile and model.
  std::optional<double> compiledTime(const document::KernelText& kernel, const std::string& device,
                                     const std::string& architecture);
  /// Gives the compiler its next states. Once a frame.
  void compileSome();
  /// Has the model made or deepened, unless that is done or under way.
  void wantModel(int node, ModelBasis depth);
  /// What came of it; null where nothing did, or the state has changed since.
  std::shared_ptr<const StateModel> madeOf(int node) const;
  /// With the disassembly where `depth` asks for it. Modelling thread.
  std::shared_ptr<const StateModel> modelOfBinary(const Result<model::Device>& figures,
                                                  std::shared_ptr<const document::KernelText> text,
                                                  const compile::Binary& binary, ModelBasis depth);
  /// Whether the model, which is the largest kernel's, is all of the program's.
  static bool isOneKernel(const Program& of);
  /// Whether nothing comes that would deepen the state's model.
  bool saysAll(int node, const StateModel& made) const;
  /// What programs are compiled for: the chosen device's, else that of the GPU here, "sm_90a"; empty without either.
  std::string architecture() const;
  /// The same, for the compiling thread: where `wanted`, what `architecture` gave, is empty, what the compiler is for.
  std::string compiledFor(const std::string& wanted);
  /// `finishFor` the open target, dropped when another device was chosen meanwhile, too; to be made on the UI thread.
  std::function<void(std::function<void()>)> finishForDevice();
  void wantPtx(int node);
  void wantFragment(const model::FragmentKind& kind);
  void wantStalls(int node);
  /// What became of the state's sampling.
  void takeStalls(int node, const std::shared_ptr<const Program>& from, document::StateStalls file,
                  const std::optional<Error>& problem);
  /// The user's own and the shipped ones. Modelling thread.
  document::StallStore& stallsKept();
  /// Of the sweep with that order, as `finishPreview`.
  void finishSweep(std::uint64_t target, std::uint64_t order, std::function<void(tune::Sweep&)> take);
  /// Has a size's states compiled and modelled again; measured, or what is known of them looked up. UI thread.
  void compileSwept(std::size_t size);
  void measureSwept(std::size_t size);
  void modelSwept(std::size_t size, const std::vector<std::shared_ptr<const document::KernelText>>& kernels,
                  const std::vector<Result<compile::Binary>>& binaries, std::uint64_t target, std::uint64_t order,
                  const std::string& device);
  /// Forgets what waits for the compiler; `forGood` when there is none.
  void endCompiling(bool forGood);
  /// Ends the compilations that are under way.
  void dropCompiling();
  /// Has the current state executed where that is still to be done. Once a frame.
  void checkCurrent();
  /// Ends what is being executed.
  void dropChecking();
  void refreshProblems();
  /// What is about to be done is done at the state that is looked at.
  void leaveOtherSide(Workbench& bench);
  static std::string newSession();
  std::filesystem::path autosaveFile() const;
  /// Marks it as that of a session that lives. Deriving thread.
  void lockAutosave();
};

}  // namespace loom::workbench
