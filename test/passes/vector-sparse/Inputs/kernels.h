//===- kernels.h - Loops over a row in the Vector-Sparse format -*- C++ -*-===//
//
// KERNEL(name, type of weights, type of the result, what is done for an edge):
// `u` is the neighbour, `w` the weight, `s` the accumulator, `a` the arrays.
//
//===----------------------------------------------------------------------===//

KERNEL(AddFloat, float, float, s += a.f32[u])
KERNEL(AddDouble, float, double, s += a.f64[u])
KERNEL(SubtractFloat, float, float, s -= a.f32[u])
KERNEL(MultiplyFloat, float, float, s *= a.one[u])
KERNEL(AddByte, float, std::uint8_t, s += a.i8[u])
KERNEL(AddShort, float, std::int16_t, s += a.i16[u])
KERNEL(AddInt, float, std::int32_t, s += a.i32[u])
KERNEL(AddLong, float, std::int64_t, s += a.i64[u])
KERNEL(MultiplyInt, float, std::uint32_t, s *= a.i32[u])
KERNEL(AndInt, float, std::int32_t, s &= a.i32[u])
KERNEL(OrLong, float, std::int64_t, s |= a.i64[u])
KERNEL(XorByte, float, std::uint8_t, s ^= a.i8[u])
KERNEL(AnyBit, float, bool, if (a.bits[u / 64] >> (u % 64) & 1) s = true)
KERNEL(AllBits, float, bool, if (!(a.bits[u / 64] >> (u % 64) & 1)) s = false)

KERNEL(MinInt, float, std::int32_t, s = std::min(s, a.i32[u]))
KERNEL(MaxInt, float, std::int32_t, s = std::max(s, a.i32[u]))
KERNEL(MinUnsigned, float, std::uint32_t,
       s = std::min<std::uint32_t>(s, a.i32[u]))
KERNEL(MaxUnsigned, float, std::uint32_t,
       s = std::max<std::uint32_t>(s, a.i32[u]))
KERNEL(MinLong, float, std::int64_t, s = std::min(s, a.i64[u]))
KERNEL(MaxUnsignedLong, float, std::uint64_t,
       s = std::max<std::uint64_t>(s, a.i64[u]))
KERNEL(MinFloat, float, float, if (a.nan[u] < s) s = a.nan[u])
KERNEL(MaxFloat, float, float, if (a.nan[u] > s) s = a.nan[u])
KERNEL(MinNumber, float, double, s = std::fmin(s, a.f64[u]))
KERNEL(MaxNumber, float, float, s = std::fmax(s, a.nan[u]))

KERNEL(WeightedFloat, float, float, s += a.f32[u] * w)
KERNEL(WeightedDouble, double, double, s += a.f64[u] * w)
KERNEL(WeightedMixed, float, double, s += a.f64[u] * w)
KERNEL(WeightedInt, std::int32_t, std::int64_t, s += std::int64_t(a.i32[u]) * w)
KERNEL(WeightedByte, std::uint8_t, std::int32_t, s += a.i32[u] * w)
KERNEL(Shortest, float, float, if (a.f32[u] + w < s) s = a.f32[u] + w)
KERNEL(ShortestInt, std::int32_t, std::int32_t, s = std::min(s, a.i32[u] + w))
KERNEL(Widest, std::int32_t, std::int32_t,
       s = std::max(s, std::min(a.i32[u], w)))
KERNEL(OfNeighbours, float, std::uint64_t, s += u)
KERNEL(Count, float, std::int32_t, s += a.i32[u] == 3)

// Loads that invalid lanes and lanes whose condition does not hold must not do:
// there is nothing in front of the arrays or behind them.
KERNEL(FromOne, float, float, s += (a.f32 - 1)[u])
KERNEL(FromOneByte, float, std::int32_t, s += (a.i8 - 1)[u])
KERNEL(UpperHalf, float, float, if (u >= 500) s += a.half[u - 500])
KERNEL(UpperHalfByte, float, std::int32_t, if (u >= 500) s += a.i8Half[u - 500])
KERNEL(LowerHalf, float, float, if (u < 500) s += a.half[u])
KERNEL(Masked, float, float, if (a.bits[u / 64] >> (u % 64) & 1) s += a.f32[u])
KERNEL(MaskedByte, float, float, if (a.i8[u] & 1) s += a.f32[u])
KERNEL(MaskedMin, float, std::uint32_t,
       if (a.bits[u / 64] >> (u % 64) & 1) s = std::min(s, u32(u)))
KERNEL(
    Nested, float, std::int32_t, if (a.i32[u] & 1) {
      if (u >= 500)
        s += a.i8Half[u - 500];
      s += 3;
    })
KERNEL(Both, float, float, if (a.i8[u] & 1 && u >= 500) s += a.half[u - 500])
KERNEL(Either, float, float, if (a.i8[u] & 1 || u >= 500) s += a.f32[u])
KERNEL(Unmasked, float, float, if (!(a.i8[u] & 1)) s += a.f32[u])
KERNEL(Twice, float, float, s += a.f32[u]; if (u >= 500) s += a.half[u - 500])

KERNEL(Divide, float, std::int64_t, s += 1000 / std::int64_t(u))
KERNEL(Remainder, float, std::uint32_t, if (a.i32[u]) s += 100u % a.i32[u])
KERNEL(FieldDouble, float, double, s += a.vertices[u].rank)
KERNEL(FieldInt, float, std::int32_t, s += a.vertices[u].degree)
KERNEL(Fields, float, double, s += a.vertices[u].rank * a.vertices[u].degree)
KERNEL(Matrix, float, float, s += a.matrix[u][a.column])
KERNEL(Indirect, float, float, s += a.f32[a.index[u]])
KERNEL(Invariant, float, float, s += a.f32[u] * a.scale)
KERNEL(Arithmetic, float, float,
       s += std::sqrt(std::fabs(a.f32[u])) * 0 + std::fabs(a.f32[u]))
KERNEL(Conversions, float, double, s += double(a.i32[u]) + float(a.i8[u]))
KERNEL(Hash, float, std::uint64_t, s ^= (u * 0x9e3779b97f4a7c15) >> 11)
