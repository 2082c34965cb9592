// Every record below the paths that a user names.
#include "vapor/report/collection.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "core_module.h"
#include "text.h"

namespace vapor::python {

void bind_collection(nanobind::module_& module) {
  using Texts = std::vector<std::string>;
  module.def(
      "find_runs",
      [](const Texts& paths) {
        Collection collection;
        {
          const nanobind::gil_scoped_release released;
          collection = collect(paths);
        }
        Texts folders;
        for (const RunDigest& digest : collection.runs) folders.push_back(digest.folder);
        std::vector<std::pair<nanobind::str, nanobind::str>> left_out;
        for (const LeftOut& left : collection.left_out)
          left_out.emplace_back(text_of(left.path), text_of(left.reason));
        return std::pair(folders, left_out);
      },
      nanobind::arg("paths"));
}

}  // namespace vapor::python
