// What only the tests call, by name and with its arguments in their order: one exported function
// for all of it, so that the exports do not depend on whether it is compiled (DUALMARGIN_PROBES).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "border/border.h"
#include "run/run.h"

namespace dualmargin::probes {

class Table {
 public:
  // An R object for each argument, converted as those of an exported function are.
  template <class Result, class... Given>
  void add(const std::string& name, Result (*f)(Given...)) {
    functions_[name] = [f, name](const Rcpp::List& given) {
      if (given.size() != sizeof...(Given)) throw std::invalid_argument(name + ": arguments");
      return call(f, given, std::index_sequence_for<Given...>());
    };
  }
  Rcpp::RObject operator()(const std::string& name, const Rcpp::List& given) const {
    const auto f = functions_.find(name);
    if (f == functions_.end()) throw std::invalid_argument("unknown probe: " + name);
    return f->second(given);
  }

 private:
  template <class Result, class... Given, std::size_t... k>
  static Rcpp::RObject call(Result (*f)(Given...), const Rcpp::List& given,
                            std::index_sequence<k...>) {
    return Rcpp::wrap(f(Rcpp::as<std::decay_t<Given>>(given[k])...));
  }

  std::map<std::string, std::function<Rcpp::RObject(const Rcpp::List&)>> functions_;
};

// One that nobody looks at.
inline Run quiet_run(const Run::Limits& limits = Run::Limits(), double null_value = 1) {
  return Run(
      limits, null_value, [] {}, [](double, double) {});
}

}  // namespace dualmargin::probes
