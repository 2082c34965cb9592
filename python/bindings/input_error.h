// vapor::InputError arrives in Python as vapor.errors.InputError, a ValueError with a `place`.
#pragma once

#include <nanobind/nanobind.h>

#include "text.h"
#include "vapor/core/error.h"

namespace vapor::python {

inline void translate_input_errors() {
  nanobind::register_exception_translator([](const std::exception_ptr& error, void* /*unused*/) {
    try {
      std::rethrow_exception(error);
    } catch (const InputError& wrong) {
      const nanobind::object type = nanobind::module_::import_("vapor.errors").attr("InputError");
      const nanobind::object value = type(text_of(wrong.what()), text_of(wrong.place()));
      PyErr_SetObject(type.ptr(), value.ptr());
    }
  });
}

}  // namespace vapor::python
