// Adds waves to a field of complex numbers that lies in a file, in places that
// are not in order, and sums up its energy.

#include <heddle/FarArray.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>

using Amplitude = std::complex<double>;

int main(int count, char **arguments) try {
  if (count != 2) {
    fprintf(stderr, "usage: waves FILE\n");
    return 2;
  }
  constexpr std::size_t Size = 1 << 18, Waves = 50000;
  heddle::FarArray<Amplitude> field(arguments[1], HEDDLE_FAR_CREATE, Size);

  //! [loop]
#pragma heddle async scheduler(dynamic)
  for (std::size_t i = 0; i < Waves; ++i)
    field[i * 0x9E3779B97F4A7C15 % Size] += Amplitude(1, i % 2 ? 1 : -1);
  //! [loop]

  double energy = 0;
  for (const Amplitude amplitude : field)
    energy += std::norm(amplitude);
  field.close();
  printf("%zu waves have an energy of %.0f\n", Waves, energy);
} catch (const std::exception &error) {
  fprintf(stderr, "%s\n", error.what());
  return 1;
}
