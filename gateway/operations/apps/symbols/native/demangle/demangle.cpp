// Demangles one name for each call: names of Swift with Apple's demangler, names of C++ with that of LLVM's libc++abi.
// The host writes a name to `input`, and calls `demangle` with its length. The result is in `output`.
#include <cstddef>
#include <cstring>
#include <cxxabi.h>
#include <string>

#include "arena.h"
#include "swift/Demangling/Demangle.h"

namespace {

constexpr size_t most_input = 16 * 1024;
constexpr size_t most_output = 64 * 1024;

// One more byte for the zero at the end.
char input_bytes[most_input + 1];
char output_bytes[most_output];

size_t write_output(const char *text, size_t length) {
  // A longer name helps no reader. The caller keeps the mangled one.
  if (length > most_output) return 0;
  memcpy(output_bytes, text, length);
  return length;
}

// As LLVM tells names of C++: `_Z`, or `___Z` of a block.
bool is_cpp(const char *name) {
  size_t underscores = strspn(name, "_");
  return (underscores == 1 || underscores == 3) && name[underscores] == 'Z';
}

size_t demangle_cpp(const char *name) {
  int status = 0;
  const char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  return text == nullptr || status != 0 ? 0 : write_output(text, strlen(text));
}

// The short form, which Apple's crash reports have too: without modules, types and protocol conformances.
size_t demangle_swift(const char *name) {
  auto options = swift::Demangle::DemangleOptions::SimplifiedUIDemangleOptions();
  std::string text = swift::Demangle::demangleSymbolAsString(llvm::StringRef(name), options);
  return text == name ? 0 : write_output(text.data(), text.size());
}

} // namespace

extern "C" {

__attribute__((export_name("input"))) char *input() { return input_bytes; }
__attribute__((export_name("output"))) char *output() { return output_bytes; }
__attribute__((export_name("most_input"))) size_t get_most_input() { return most_input; }

// Returns the length of the result. 0: the name is not mangled, or not in a known form.
__attribute__((export_name("demangle"))) size_t demangle(size_t length) {
  if (length > most_input || memchr(input_bytes, '\0', length) != nullptr) return 0;
  input_bytes[length] = '\0';
  reset_arena();
  if (is_cpp(input_bytes)) return demangle_cpp(input_bytes);
  if (swift::Demangle::isSwiftSymbol(input_bytes)) return demangle_swift(input_bytes);
  return 0;
}
}
