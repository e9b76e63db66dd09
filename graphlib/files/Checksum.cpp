//===- Checksum.cpp - CRC-32 of large memory -----------------------------===//

#include "Checksum.h"

#include <algorithm>
#include <vector>
#include <zlib.h>

namespace heddle::graph {

std::uint32_t checksum(std::span<const std::byte> bytes) {
  constexpr std::size_t pieceBytes = std::size_t(1) << 20;
  const std::size_t pieces = (bytes.size() + pieceBytes - 1) / pieceBytes;
  std::vector<uLong> sums(pieces);
#pragma omp parallel for
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto piece = bytes.subspan(
        i * pieceBytes, std::min(pieceBytes, bytes.size() - i * pieceBytes));
    sums[i] =
        crc32_z(0, reinterpret_cast<const Bytef *>(piece.data()), piece.size());
  }

  uLong sum = crc32(0, nullptr, 0);
  for (std::size_t i = 0; i < pieces; ++i)
    sum = crc32_combine(sum, sums[i],
                        static_cast<z_off_t>(std::min(
                            pieceBytes, bytes.size() - i * pieceBytes)));
  return static_cast<std::uint32_t>(sum);
}

} // namespace heddle::graph
