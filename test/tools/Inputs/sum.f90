program sum
  use heddle
  implicit none
  integer :: values(0:999), order(0:999), i, total
  values = [(i, i = 0, 999)]
  order = [(mod(i * 7919, 1000), i = 0, 999)]
  total = 0
  !$omp parallel do reduction(+ : total)
  do i = 0, 999
    call heddle_async()
    call heddle_remote(values(0))
    total = total + values(order(i))
  end do
  print '(a, i0)', 'sum ', total
end program
