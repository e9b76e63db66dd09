//===- ForeignFormat.cpp - The names of formats that are not read --------===//

#include "../../files/Words.h"
#include "Recognition.h"

#include <algorithm>

namespace heddle::graph {
namespace {

using namespace std::literals;

/// Bytes at a fixed place that only such files have.
struct Mark {
  std::string_view bytes, name;
  std::size_t at = 0;
};

constexpr Mark BinaryMarks[] = {
    {"\x1f\x8b", "gzip data that is compressed twice; decompress it once"},
    {"\x28\xb5\x2f\xfd",
     "zstd data that is compressed twice; decompress it once"},
    {"BZh", "bzip2 data; decompress it first"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz data; decompress it first"},
    {"LZIP", "lzip data; decompress it first"},
    {"\x04\x22\x4d\x18", "LZ4 data; decompress it first"},
    {"\x1f\x9d", "data of compress; decompress it first"},
    {"\x5d\0\0"sv, "lzma data; decompress it first"},
    {"7z\xbc\xaf\x27\x1c", "a 7z archive; extract it first"},
    {"Rar!\x1a\x07", "a RAR archive; extract it first"},
    {"ustar", "a tar archive; extract it first", 257},
    {"\x93NUMPY", "an array of NumPy (.npy)"},
    {"PAR1", "Parquet"},
    {"ORC\x03", "ORC"},
    {"ARROW1", "Arrow"},
    {"FEA1", "Feather"},
    {"Obj\x01", "Avro"},
    {"\x89HDF\r\n\x1a\n", "HDF5"},
    {"\x89HDF\r\n\x1a\n", "HDF5, as MATLAB 7.3 writes it", 512},
    {"CDF\x01", "NetCDF"},
    {"CDF\x02", "NetCDF"},
    {"MATLAB 5.0 MAT-file", "a MAT-file of MATLAB"},
    {"SQLite format 3", "a database of SQLite"},
    {"%PDF-", "a PDF document"},
    {"\x80\x02", "a pickle of Python"},
    {"\x80\x03", "a pickle of Python"},
    {"\x80\x04", "a pickle of Python"},
    {"\x80\x05", "a pickle of Python"},
    {"OSMHeader", "OpenStreetMap data (.pbf)", 6},
    {"\x89hoocg\r\n", "a part of a prepared graph; give its directory"},
    {"\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"sv, "a binary graph of Galois (.gr)"},
    {"\1\0\0\0\0\0\0\0\10\0\0\0\0\0\0\0"sv, "a binary graph of Galois (.gr)"},
    {"\2\0\0\0\0\0\0\0"sv, "a binary graph of Galois (.gr)"},
    {"\xff\xfe", "text in UTF-16; convert it to UTF-8"},
    {"\xfe\xff", "text in UTF-16; convert it to UTF-8"},
};

/// Words with which texts begin, in any case, behind blanks and empty lines.
constexpr Mark TextMarks[] = {
    {"adjacencyhypergraph", "a hypergraph of Ligra"},
    {"weightedadjacencyhypergraph", "a hypergraph of Ligra"},
    {">>graph6<<", "graph6"},
    {">>sparse6<<", "sparse6"},
    {">>digraph6<<", "digraph6"},
    {">>planar_code<<", "planar code"},
    {"#bvgraph properties", "the properties of a graph of WebGraph"},
    {"version https://git-lfs", "a pointer of Git LFS instead of the file; "
                                "fetch it with 'git lfs pull'"},
    {"% bip", "a bipartite graph of KONECT, which numbers sources and targets "
              "separately"},
    {"%bip", "a bipartite graph of KONECT, which numbers sources and targets "
             "separately"},
    {"33d32945 stp", "a Steiner tree problem (.stp)"},
    {"@prefix", "RDF in Turtle"},
};

/// The same, behind comments that begin with #, % or //.
constexpr Mark MarksBehindComments[] = {
    {"*vertices", "Pajek"},  {"*network", "Pajek"},     {"*arcs", "Pajek"},
    {"*edges", "Pajek"},     {"*matrix", "Pajek"},      {"*partition", "Pajek"},
    {"@nodes", "LEMON"},     {"@red_nodes", "LEMON"},   {"@arcs", "LEMON"},
    {"@edges", "LEMON"},     {"@attributes", "LEMON"},  {"creator", "GML"},
    {"strict graph", "DOT"}, {"strict digraph", "DOT"}, {"digraph", "DOT"},
    {"/*", "DOT"},           {"dl n", "UCINET DL"},     {"nodedef>", "GDF"},
    {"name:", "TSPLIB"},     {"name :", "TSPLIB"},      {"{", "JSON"},
    {"[", "JSON"},
};

/// Elements that tell what an XML document is.
constexpr Mark XmlMarks[] = {
    {"<graphml", "GraphML"},
    {"<gexf", "GEXF"},
    {"<osm", "OpenStreetMap data (.osm)"},
    {"<gxl", "GXL"},
    {"<xgmml", "XGMML"},
    {"<rdf:rdf", "RDF"},
    {"<html", "an HTML page, perhaps instead of a file to download"},
    {"<!doctype html", "an HTML page, perhaps instead of a file to download"},
    {"<http", "RDF triples"},
};

/// Endings of names of files that contain numbers only.
constexpr Mark Endings[] = {
    {".hgr", "a hypergraph of hMETIS"},
    {".hmetis", "a hypergraph of hMETIS"},
    {".patoh", "a hypergraph of PaToH"},
    {".adjlist", "an adjacency list of NetworkX"},
    {".multiline_adjlist", "an adjacency list of NetworkX"},
    {".smat", "a matrix with a size in front (.smat)"},
};

void skipBlank(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

void skipComments(std::string_view &text) {
  skipBlank(text);
  while (text.starts_with('#') || text.starts_with('%') ||
         text.starts_with("//")) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    skipBlank(text);
  }
}

template <typename Marks>
std::string_view nameAtStart(std::string_view text, const Marks &marks) {
  for (const Mark &mark : marks)
    if (text.size() > mark.at && text.substr(mark.at).starts_with(mark.bytes))
      return mark.name;
  return {};
}

/// An archive of NumPy contains arrays of NumPy, which are named first.
std::string_view nameOfZip(std::string_view start) {
  constexpr std::size_t nameAt = 30;
  if (!start.starts_with("PK\x03\x04") && !start.starts_with("PK\x05\x06"))
    return {};
  const std::string_view names =
      start.substr(std::min(nameAt, start.size()), 256);
  if (names.find(".npy") != names.npos)
    return "an archive of NumPy (.npz)";
  return "a zip archive; extract it first";
}

std::string_view nameOfXml(std::string_view text) {
  for (const Mark &mark : XmlMarks)
    if (text.find(mark.bytes) != text.npos)
      return mark.name;
  return "XML";
}

/// Both GML and DOT begin with the same word.
std::string_view nameOfGraph(std::string_view text) {
  constexpr std::string_view word = "graph";
  if (!text.starts_with(word))
    return {};
  text.remove_prefix(word.size());
  skipBlank(text);
  return text.starts_with('[') ? "GML" : "DOT";
}

/// The third line of a Rutherford-Boeing matrix begins with a type such as
/// "rua" in a column of its own.
bool isRutherfordBoeing(std::string_view start) {
  for (int line = 1; line < 3; ++line) {
    const std::size_t end = start.find('\n');
    if (end == start.npos)
      return false;
    start.remove_prefix(end + 1);
  }
  const std::string type = lowerCase(start.substr(0, 4));
  const auto isAnyOf = [](char letter, std::string_view letters) {
    return letters.find(letter) != letters.npos;
  };
  return type.size() == 4 && isAnyOf(type[0], "rcpiq") &&
         isAnyOf(type[1], "suhzr") && isAnyOf(type[2], "ae") && type[3] == ' ';
}

} // namespace

std::string foreignFormat(std::string_view start) {
  if (const auto name = nameAtStart(start, BinaryMarks); !name.empty())
    return std::string(name);
  if (const auto name = nameOfZip(start); !name.empty())
    return std::string(name);
  const std::string lower = lowerCase(start);
  std::string_view text = lower;
  skipBlank(text);
  if (const auto name = nameAtStart(text, TextMarks); !name.empty())
    return std::string(name);
  if (text.starts_with('<'))
    return std::string(nameOfXml(text));
  skipComments(text);
  if (const auto name = nameAtStart(text, MarksBehindComments); !name.empty())
    return std::string(name);
  if (const auto name = nameOfGraph(text); !name.empty())
    return std::string(name);
  return isRutherfordBoeing(start) ? "a Rutherford-Boeing matrix" : "";
}

std::string_view foreignFormatOfName(std::string_view path) {
  const std::string name = lowerCase(path);
  for (const Mark &ending : Endings)
    if (name.ends_with(ending.bytes))
      return ending.name;
  return {};
}

} // namespace heddle::graph
