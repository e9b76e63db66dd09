//===- Native.cpp - Graphs stored in files as in memory ------------------===//

#include "../files/Checksum.h"
#include "../files/FileError.h"
#include "../files/MappableFile.h"
#include "CheckRows.h"
#include "EdgeSum.h"
#include "Formats.h"
#include "NativeFormat.h"
#include "RowBytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight> class NativeReader {
public:
  NativeReader(const std::string &path, const ReadGraphOptions &options)
      : path(path), options(options),
        file(std::make_shared<MappableFile>(path)) {}

  Csr<VertexId, Weight> read() {
    readHeader();
    Rows out = readRows(native::OutOffsets);
    if (header.directed == 0) {
      expectReverse(out, out);
      return Csr<VertexId, Weight>(std::move(out));
    }
    Rows in = readRows(native::InOffsets);
    expectReverse(out, in);
    return Csr<VertexId, Weight>(std::move(out), std::move(in));
  }

private:
  using Rows = CsrRows<VertexId, Weight>;
  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;

  [[noreturn]] void fail(std::uint64_t byte, const std::string &problem) const {
    failAtByte(path, byte, problem);
  }

  template <typename Value>
  void expect(std::size_t byte, const char *what, Value expected, Value found) {
    if (expected != found)
      fail(byte, std::string("expected ") + what + " " +
                     std::to_string(expected) + ", found " +
                     std::to_string(found));
  }

  bool isGzip() const {
    std::array<std::byte, 2> start{};
    if (file->size() < start.size())
      return false;
    file->read(0, start);
    return start == std::array{std::byte(0x1f), std::byte(0x8b)};
  }

  /// Checks the header from its start, so that the first error is the one that
  /// explains the others.
  void readHeader() {
    using native::Header;
    if (isGzip())
      fail(0, "expected the header of a .hgraph file, found gzip data; "
              "decompress it");
    if (file->size() < sizeof(Header))
      fail(file->size(), "expected the header of a .hgraph file, found the end "
                         "of the file");
    const auto bytes = std::as_writable_bytes(std::span(&header, 1));
    file->read(0, bytes);
    if (header.magic != native::Magic)
      fail(0, "expected the header of a .hgraph file, found another file");
    if (header.byteOrder == native::SwappedByteOrder)
      fail(offsetof(Header, byteOrder),
           "expected the byte order of this machine, found the opposite");
    expect(offsetof(Header, byteOrder), "the mark", native::ByteOrder,
           header.byteOrder);
    expect(offsetof(Header, version), "version", native::Version,
           header.version);
    expect(offsetof(Header, checksum), "the checksum",
           checksum(bytes.first(offsetof(Header, checksum))), header.checksum);
    checkTypes();
    checkSections();
    checkEnd();
  }

  void checkTypes() {
    using native::Header;
    expect(offsetof(Header, vertexBytes), "vertices of bytes",
           std::uint32_t(sizeof(VertexId)), header.vertexBytes);
    if (header.directed > 1)
      fail(offsetof(Header, directed), "expected 0 or 1 (directed), found " +
                                           std::to_string(header.directed));
    // The number of vertices plus one must still be representable.
    const std::uint64_t most =
        std::min<std::uint64_t>(MostVertices<VertexId>, file->size());
    if (header.vertices > most)
      fail(offsetof(Header, vertices),
           "expected at most " + std::to_string(most) + " vertices, found " +
               std::to_string(header.vertices));
    if (IsWeighted && header.weightType != native::weightTypeOf<Weight>())
      fail(offsetof(Header, weightType),
           std::string("expected ") + nameOf(native::weightTypeOf<Weight>()) +
               ", found " + nameOf(header.weightType));
  }

  static const char *nameOf(native::WeightType type) {
    using native::WeightType;
    switch (type) {
    case WeightType::None:
      return "no weights";
    case WeightType::Int32:
      return "integer weights of 32 bits";
    case WeightType::Int64:
      return "integer weights of 64 bits";
    case WeightType::Float32:
      return "floating-point weights of 32 bits";
    case WeightType::Float64:
      return "floating-point weights of 64 bits";
    }
    return "weights of unknown type";
  }

  void checkSections() {
    for (const std::size_t first : {native::OutOffsets, native::InOffsets}) {
      if (first == native::InOffsets && header.directed == 0)
        return;
      checkSection(first, header.vertices + 1, 8);
      checkSection(first + 1, header.edges, sizeof(VertexId));
      if (IsWeighted)
        checkSection(first + 2, header.edges, sizeof(Weight));
    }
  }

  /// Checks that nothing follows the last array.
  void checkEnd() {
    std::uint64_t end = sizeof(native::Header);
    for (const native::Section &section : header.sections)
      end = std::max(end, section.offset + section.bytes);
    if (file->size() > end)
      fail(end, "expected the end of the file, found more");
  }

  void checkSection(std::size_t index, std::uint64_t count, std::size_t size) {
    const native::Section &section = header.sections[index];
    const std::size_t at =
        offsetof(native::Header, sections) + index * sizeof(native::Section);
    const std::uint64_t fileBytes = file->size();
    if (section.bytes / size != count || section.bytes % size != 0)
      fail(at, "expected an array of " + std::to_string(count) +
                   " elements of " + std::to_string(size) +
                   " bytes, found one of " + std::to_string(section.bytes) +
                   " bytes");
    if (section.offset % native::SectionAlignment != 0)
      fail(at, "expected an array at a multiple of " +
                   std::to_string(native::SectionAlignment) +
                   ", found one at " + std::to_string(section.offset));
    if (section.offset > fileBytes ||
        section.bytes > fileBytes - section.offset)
      fail(fileBytes, "expected an array up to byte " +
                          std::to_string(section.offset + section.bytes) +
                          ", found the end of the file");
  }

  Rows readRows(std::size_t firstSection) {
    Rows rows;
    rows.offsets = readArray<std::uint64_t>(firstSection);
    rows.targets = readArray<VertexId>(firstSection + 1);
    if constexpr (IsWeighted)
      rows.weights = readArray<Weight>(firstSection + 2);
    if (!options.verify)
      return rows;
    if (const RowProblem problem = problemInOffsets(rows))
      fail(header.sections[firstSection].offset + problem.index * 8,
           problem.text);
    const std::uint64_t targetsAt = header.sections[firstSection + 1].offset;
    if (const RowProblem problem = problemInTargets(rows))
      fail(targetsAt + problem.index * sizeof(VertexId), problem.text);
    if (!areSorted(rows))
      fail(targetsAt, "expected sorted rows, found others");
    return rows;
  }

  void expectReverse(const Rows &out, const Rows &in) const {
    if (options.verify && !areReverse(out, in))
      throw Error(path + ": " + firstWithoutReverse(out, in));
  }

  template <typename T> Array<T> readArray(std::size_t index) {
    const native::Section &section = header.sections[index];
    Array<T> array = bringArray<T>(section);
    if (options.verify) {
      const std::uint32_t found = checksum(std::as_bytes(std::span(array)));
      if (found != section.checksum)
        fail(section.offset, "expected " + std::to_string(section.bytes) +
                                 " bytes with checksum " +
                                 std::to_string(section.checksum) + ", found " +
                                 std::to_string(found));
    }
    return array;
  }

  template <typename T> Array<T> bringArray(const native::Section &section) {
    const std::size_t count = section.bytes / sizeof(T);
    if (options.map)
      return Array<T>(reinterpret_cast<T *>(file->map() + section.offset),
                      count, file);
    Array<T> copy(count);
    file->read(section.offset, std::as_writable_bytes(std::span(copy)));
    return copy;
  }

  const std::string &path;
  const ReadGraphOptions &options;
  const std::shared_ptr<MappableFile> file;
  native::Header header;
};

/// Lays the arrays of a graph out in a file.
template <VertexIdentifier VertexId, EdgeWeight Weight> class NativeWriter {
public:
  NativeWriter(OutputFile &file, const Csr<VertexId, Weight> &graph)
      : file(file), graph(graph) {}

  void write() {
    header.magic = native::Magic;
    header.byteOrder = native::ByteOrder;
    header.version = native::Version;
    header.vertexBytes = sizeof(VertexId);
    header.weightType = native::weightTypeOf<Weight>();
    header.directed = graph.isDirected();
    header.vertices = graph.vertexCount();
    header.edges = graph.edgeCount();
    layOutRows(native::OutOffsets, graph.outRows());
    if (graph.isDirected())
      layOutRows(native::InOffsets, graph.inRows());
    header.checksum = checksum(std::as_bytes(std::span(&header, 1))
                                   .first(offsetof(native::Header, checksum)));

    file.write(bytesOf(std::span<const native::Header>(&header, 1)));
    for (std::size_t i = 0; i < native::SectionCount; ++i) {
      const std::vector<char> gap(
          std::max(header.sections[i].offset, file.size()) - file.size());
      file.write(gap);
      file.write(contents[i]);
    }
  }

private:
  void layOutRows(std::size_t first, const CsrRows<VertexId, Weight> &rows) {
    layOut(first, bytesOf(offsetsOf(rows.offsets)));
    layOut(first + 1, bytesOf(std::span(rows.targets)));
    if constexpr (!std::same_as<Weight, Unweighted>)
      layOut(first + 2, bytesOf(std::span(rows.weights)));
  }

  void layOut(std::size_t index, std::span<const char> bytes) {
    constexpr std::uint64_t alignment = native::SectionAlignment;
    contents[index] = bytes;
    header.sections[index] = {.offset =
                                  (end + alignment - 1) / alignment * alignment,
                              .bytes = bytes.size(),
                              .checksum = checksum(std::as_bytes(bytes)),
                              .padding = 0};
    end = header.sections[index].offset + bytes.size();
  }

  OutputFile &file;
  const Csr<VertexId, Weight> &graph;
  native::Header header = {};
  std::array<std::span<const char>, native::SectionCount> contents;
  std::uint64_t end = sizeof(native::Header);
};

template <EdgeWeight Weight> struct OwnCsr {
  const Csr<std::uint32_t, Weight> graph;
};

/// The edges of a graph that this owns.
template <EdgeWeight Weight>
struct OwnCsrEdges final : private OwnCsr<Weight>,
                           public detail::CsrEdges<std::uint32_t, Weight> {
  explicit OwnCsrEdges(Csr<std::uint32_t, Weight> graph)
      : OwnCsr<Weight>{std::move(graph)},
        detail::CsrEdges<std::uint32_t, Weight>(OwnCsr<Weight>::graph) {}
};

} // namespace

const FormatDescription &NativeFormat::description() {
  static const FormatDescription description = {
      .name = "native",
      .inWords = ".hgraph",
      .endings = {".hgraph"},
      .starts = {std::string_view(native::Magic.data(), native::Magic.size())},
      .isFinished = true,
      .isMapped = true};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> NativeFormat::read(const std::string &path,
                                         const ReadGraphOptions &options) {
  return NativeReader<VertexId, Weight>(path, options).read();
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> NativeFormat::open(const std::string &path,
                                             const ReadOptions &) {
  return std::make_unique<OwnCsrEdges<Weight>>(
      read<std::uint32_t, Weight>(path, {}));
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void NativeFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                         const std::string &) {
  NativeWriter<VertexId, Weight>(file, graph).write();
}

HEDDLE_INSTANTIATE_FORMAT(NativeFormat)

} // namespace heddle::graph
