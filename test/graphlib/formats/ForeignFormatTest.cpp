//===- ForeignFormatTest.cpp - Formats that are refused by their names ----===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using namespace std::literals;

struct Sample {
  std::string_view bytes, name;
};

const Sample Samples[] = {
    {"<?xml version=\"1.0\"?>\n<graphml>", "GraphML"},
    {"<gexf version=\"1.2\">", "GEXF"},
    {"\xef\xbb\xbf<?xml version=\"1.0\"?><a/>", "XML"},
    {"<!DOCTYPE html>\n",
     "an HTML page, perhaps instead of a file to download"},
    {"graph\n[\n node [ id 1 ]\n]\n", "GML"},
    {"# made by hand\nGraph [\n", "GML"},
    {"Creator \"me\"\ngraph\n[\n", "GML"},
    {"digraph g {\n 1 -> 2\n}\n", "DOT"},
    {"// c\nstrict graph {\n", "DOT"},
    {"graph g {\n", "DOT"},
    {"*Vertices 3\n", "Pajek"},
    {"% c\n*Network x\n", "Pajek"},
    {"@nodes\nlabel\n1\n", "LEMON"},
    {"# c\n@arcs\n", "LEMON"},
    {"{\"nodes\": []}", "JSON"},
    {" \n[[0, 1]]", "JSON"},
    {"\x93NUMPY\x01", "an array of NumPy (.npy)"},
    {"PK\x03\x04..........................offsets.npy",
     "an archive of NumPy (.npz)"},
    {"PK\x03\x04..........................graph.mtx",
     "a zip archive; extract it first"},
    {"PAR1\x15", "Parquet"},
    {"\xfd"
     "7zXZ\0\0"sv,
     "xz data; decompress it first"},
    {"BZh91AY&SY", "bzip2 data; decompress it first"},
    {"\x89HDF\r\n\x1a\n", "HDF5"},
    {"%PDF-1.4\n1 0\n", "a PDF document"},
    {"\0\0\0\x0d\x0a\x09OSMHeader"sv, "OpenStreetMap data (.pbf)"},
    {"#BVGraph properties\n1 2\n", "the properties of a graph of WebGraph"},
    {"AdjacencyHypergraph\n1\n", "a hypergraph of Ligra"},
    {"\xff\xfe"
     "0\0"sv,
     "text in UTF-16; convert it to UTF-8"},
    {"% bip unweighted\n% 2 2 2\n1 1\n2 2\n",
     "a bipartite graph of KONECT, which numbers sources and targets "
     "separately"},
    {"title\n 3 1 1\nrua   3 3\n", "a Rutherford-Boeing matrix"},
};

std::string refusal(std::string_view name) {
  return ": expected an edge list, binary pairs (.pairs), Matrix Market "
         "(.mtx), Ligra (.adj, .wadj), METIS (.graph), DIMACS (.gr, .col), GAP "
         "(.sg, .wsg) or .hgraph, found " +
         std::string(name);
}

TEST(ForeignFormat, IsRefusedByNameWhateverTheFileIsCalled) {
  for (const Sample &sample : Samples)
    for (const char *file : {"a", "a.txt", "a.el", "a.mtx", "a.graph", "a.gr",
                             "a.adj", "a.sg", "a.hgraph"})
      EXPECT_EQ(graphProblemOf(file, sample.bytes), refusal(sample.name))
          << file;
}

TEST(ForeignFormat, OfNumbersIsRefusedByTheNameOfTheFile) {
  const Sample files[] = {
      {"a.hgr", "a hypergraph of hMETIS"},
      {"a.HGR", "a hypergraph of hMETIS"},
      {"a.hmetis", "a hypergraph of hMETIS"},
      {"a.patoh", "a hypergraph of PaToH"},
      {"a.adjlist", "an adjacency list of NetworkX"},
      {"a.multiline_adjlist", "an adjacency list of NetworkX"},
      {"a.smat", "a matrix with a size in front (.smat)"},
  };
  for (const auto &[file, name] : files)
    EXPECT_EQ(graphProblemOf(std::string(file), "2 3\n1 2\n2 3\n"),
              refusal(name));
  EXPECT_EQ(graphProblemOf("adjlist", "2 3\n1 2\n2 3\n"), "accepted");
  EXPECT_EQ(graphProblemOf("a.hgr.txt", "2 3\n1 2\n2 3\n"), "accepted");
}

TEST(ForeignFormat, IsNoEdgeList) {
  for (const Sample &sample : Samples) {
    InputFile file("a.txt", sample.bytes);
    EXPECT_EQ(problemOf(file.path), refusal(sample.name));
  }
  InputFile matrix("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                            "2 2 1\n1 2\n");
  EXPECT_EQ(problemOf(matrix.path),
            ": expected an edge list, found Matrix Market (.mtx)");
}

TEST(ForeignFormat, ArchivesAreKnownByAWordFarBehindTheirStart) {
  std::string tar = "0 1\n";
  tar.resize(512);
  tar.replace(257, 5, "ustar");
  EXPECT_EQ(graphProblemOf("a.el", tar),
            refusal("a tar archive; extract it first"));
}

TEST(ForeignFormat, PairsMayBeginWithAnyBytes) {
  EXPECT_EQ(graphProblemOf("a.pairs", "BZh\0PAR\0"sv,
                           {.text = {.vertexCount = 7000000}}),
            "accepted");
  EXPECT_EQ(graphProblemOf("a.pairs", "\x1f\x8b\0\0\1\0\0\0"sv), "accepted");
}

TEST(ForeignFormat, TheContentCountsMoreThanTheNameOfAnEdgeList) {
  const std::string matrix =
      "%%matrixmarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  for (const char *name : {"a.el", "a.edges", "a.txt", "a", "a.MTX"})
    EXPECT_EQ(graphOf(name, matrix).out, (FlatEdges{{0, 1, 0}})) << name;
}

TEST(Pipe, ItsStartIsLookedAtAndReadAgain) {
  for (const std::string text :
       {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
        "p sp 2 1\na 1 2 5\n", "0 1\n", "2 1\n2\n1\n"}) {
    TemporaryDirectory directory;
    const std::string path = directory.file("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path) << text; });
    EXPECT_EQ(formatOfFile(path), formatOfFile(path));
    EXPECT_EQ(readGraph(path).outEdges(0).size(), 1u) << text;
    writer.join();
  }
}

/// Standard input from a file during the object's lifetime.
class StandardInput {
public:
  explicit StandardInput(const std::string &path, off_t position = 0)
      : before(::dup(0)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::lseek(file, position, SEEK_SET);
    ::dup2(file, 0);
    ::close(file);
  }
  ~StandardInput() {
    ::dup2(before, 0);
    ::close(before);
  }
  StandardInput(const StandardInput &) = delete;
  StandardInput &operator=(const StandardInput &) = delete;

private:
  const int before;
};

TEST(Pipe, AHyphenIsStandardInput) {
  InputFile file("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                          "2 2 1\n1 2\n");
  const StandardInput input(file.path);
  EXPECT_EQ(readGraph("-").edgeCount(), 1u);
  EXPECT_EQ(readGraph("-").edgeCount(), 1u);
}

/// The program that has read the beginning, such as a shell, has used it.
TEST(Pipe, TheRestOfStandardInputIsRead) {
  const std::string first = "not for this reader\n", rest = "0 1\n1 2\n";
  for (const std::string &text : {rest, std::string("3 2\n2\n1 3\n2\n"),
                                  std::string("p sp 3 2\na 1 2 1\n"
                                              "a 2 3 1\n")}) {
    InputFile file("a", first + text);
    const StandardInput input(file.path, static_cast<off_t>(first.size()));
    EXPECT_EQ(readGraph("-").vertexCount(), 3u) << text;
  }
  // What must be mapped, or read at several places, begins elsewhere.
  InputFile native("a.hgraph", first + std::string(4096, 'x'));
  const StandardInput input(native.path, static_cast<off_t>(first.size()));
  EXPECT_THROW((readGraph("-", {.format = GraphFormat::Native})), Error);
}

} // namespace
