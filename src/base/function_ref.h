// A reference to a function object: two words, no allocation, and no template in the signature of
// who takes it. The object must outlive the call, as a lambda in the list of arguments does. A call
// back serves a block or a row, never an entry.
#pragma once

#include <type_traits>
#include <utility>

namespace dualmargin {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(const F& f)
      : object_(&f), call_([](const void* object, Args... args) -> Result {
          return (*static_cast<const F*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  const void* object_;
  Result (*call_)(const void*, Args...);
};

}  // namespace dualmargin
