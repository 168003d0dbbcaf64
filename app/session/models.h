#pragma once

#include <map>
#include <memory>
#include <optional>

#include "app/session/compilations.h"
#include "app/session/results.h"
#include "app/session/state_model.h"

namespace loom::session {

/// What the model says of each state, for the device of `ModelDevice`, as deep as what is compiled allows.
class Models {
 public:
  Models(const Options& options, Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs,
         Compilations& compilations, const Results& results)
      : options_(options),
        jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        compilations_(compilations),
        results_(results) {}

  /// Returns the most detailed model of a state made so far, or null if there is none. If `depth` is greater than that
  /// of the result, this call has it made in the background.
  std::shared_ptr<const StateModel> of(int node, ModelBasis depth = ModelBasis::kResources);
  /// Returns whether `of` will say no more: its model is made of the machine code, or there is none. `ask`: has it
  /// made.
  bool isFinal(int node, bool ask = true);
  /// Returns the time, µs, that the model gives to a state. None for what is no kernel, for several kernels (the model
  /// is the largest one's), and until the model is final: machine code can make a multiple of what the program as
  /// written promises. `ask`: has the model made.
  std::optional<double> modelledTime(int node, bool ask = true);
  /// The same for a state that hasn't been run: none where its time is known, and where
  /// `Results::areFromAnotherDevice`, since it would stand in one list with times of another device.
  std::optional<double> prediction(int node, bool ask = true);

  /// Returns the model of a compiled program; at `kMachineCode` with its disassembly. For the models' thread.
  std::shared_ptr<const StateModel> modelOfBinary(const Result<model::Device>& figures,
                                                  std::shared_ptr<const document::KernelText> text,
                                                  const compile::Binary& binary, ModelBasis depth);
  /// Returns the time of a program by its machine code, µs; none where there is no model of that. For the models'
  /// thread.
  std::optional<double> compiledEstimate(const Result<model::Device>& figures, const document::KernelText& kernel,
                                         const compile::Binary& binary);
  /// The same; for the proposals' thread, which waits for those that compile and model.
  std::optional<double> compiledTime(const document::KernelText& kernel, const std::string& device,
                                     const std::string& architecture);

  /// Forgets all models.
  void reset();

 private:
  /// What was asked of the model, and the best that came.
  struct Modelled {
    std::shared_ptr<const Program> from;
    ModelBasis asked = ModelBasis::kSource;
    std::shared_ptr<const StateModel> made;
  };

  void want(int node, ModelBasis depth);
  std::shared_ptr<const StateModel> known(int node) const;
  bool saysAll(int node, const StateModel& made) const;

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  Compilations& compilations_;
  const Results& results_;
  std::map<int, Modelled> models_;
};

/// Returns whether the model, which is the largest kernel's, is all of the program's.
bool isOneKernel(const Program& program);

}  // namespace loom::session
