//===- Format.cpp - What the names of files say --------------------------===//

#include "heddle/graph/detail/Format.h"

#include <string_view>

namespace heddle::graph {

std::optional<GraphFormat> formatOfName(const std::string &path) {
  constexpr struct {
    std::string_view end;
    GraphFormat format;
  } endings[] = {
      {".el", GraphFormat::EdgeList},      {".wel", GraphFormat::EdgeList},
      {".csv", GraphFormat::EdgeList},     {".tsv", GraphFormat::EdgeList},
      {".edges", GraphFormat::EdgeList},   {".pairs", GraphFormat::Pairs},
      {".mtx", GraphFormat::MatrixMarket}, {".adj", GraphFormat::Ligra},
      {".wadj", GraphFormat::Ligra},       {".sg", GraphFormat::Gap},
      {".wsg", GraphFormat::GapWeighted},  {".hgraph", GraphFormat::Native}};

  std::string_view name = path;
  for (const std::string_view compressed : {".gz", ".zst"})
    if (name.ends_with(compressed)) {
      name.remove_suffix(compressed.size());
      break;
    }
  for (const auto &[end, format] : endings)
    if (name.ends_with(end))
      return format;
  return std::nullopt;
}

} // namespace heddle::graph
