#include <array>

#include "app/cli/verb_list.h"

namespace loom::cli {

std::span<const Verb> verbs() {
  static constexpr std::array kTable = {
      Verb{"steps", "Table of a target's states: times, speed-ups, resources", declareSteps},
      Verb{"export", "Write a state as TVMScript, Python, trace JSON, CUDA, PTX, SASS, a project or a document",
           declareExport},
      Verb{"sweep", "Table of states at other sizes: replayed, predicted and, where there is a GPU, measured",
           declareSweep},
      Verb{"tensorize", "Say by four passes how a program goes to tensor cores, with the step lines that do it",
           declareTensorize},
      Verb{"record", "Measure a target's states on a real device, for assets/recorded", declareRecord},
      Verb{"profile", "Say what a state's warps wait for, by line, step and loop; sampled by ncu", declareProfile},
      Verb{"probe", "Measure a GPU's peaks and ask where wmma keeps its elements, for assets/probed", declareProbe},
      Verb{"lessons", "List the lessons", declareLessons},
      Verb{"functions", "List the functions to begin with and their sizes, or write one", declareFunctions},
      Verb{"rules", "List the rules that make schedules, with what each looks at; or check files of one's own",
           declareRules},
      Verb{"devices", "List the GPUs", declareDevices},
      Verb{"doctor", "Say what works on this machine and what is missing", declareDoctor},
      Verb{"worker", "Serve measurements on standard input and output (started by the program itself)", declareWorker},
      Verb{"replay", "Apply step lines to a TVMScript function and print the states", declareReplay},
      Verb{"check", "Execute every state on the CPU against the original program; find races and bad accesses",
           declareCheck},
      Verb{"tune", "Make a schedule by rules, and say which applied and why", declareTune},
      Verb{"screenshots", "Drive the workbench through its panels and write PNG pictures", declareScreenshots},
  };
  return kTable;
}

}  // namespace loom::cli
