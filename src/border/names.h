// What a name from outside stands for. One that stands for nothing is an error: none falls back on
// another, so that no fit is by a method that nobody asked for.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace dualmargin::border {

[[noreturn]] inline void unknown(const std::string& what, const std::string& name) {
  throw std::invalid_argument("unknown " + what + ": " + name);
}

// what: of what the choices are names
template <class T>
T named(const std::string& what, const std::string& name,
        std::initializer_list<std::pair<const char*, T>> choices) {
  for (const auto& [known, value] : choices) {
    if (name == known) return value;
  }
  unknown(what, name);
}

}  // namespace dualmargin::border
