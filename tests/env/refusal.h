// Bad settings are refused by an error that names the field.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "vapor/core/error.h"

namespace vapor::test_support {

template <typename Make>
void refused(const std::string& field, const Make& make) {
  try {
    make();
    ADD_FAILURE() << field << " was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), field) << error.what();
  }
}

}  // namespace vapor::test_support
