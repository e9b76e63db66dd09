int main(int argc, char **argv) {
  (void)argv;
  unsigned long ones;
  __asm__("popcnt %1, %0" : "=r"(ones) : "r"((unsigned long)argc));
  return ones != 1;
}
