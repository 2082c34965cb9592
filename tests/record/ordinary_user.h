// A test that needs to be refused something: root may read everything.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace vapor::test_support {

// Not root for as long as it lives.
class OrdinaryUser {
 public:
  OrdinaryUser() : root_(geteuid() == 0) { EXPECT_EQ(root_ ? seteuid(65534) : 0, 0); }
  ~OrdinaryUser() { EXPECT_EQ(root_ ? seteuid(0) : 0, 0); }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool root_;
};

}  // namespace vapor::test_support
