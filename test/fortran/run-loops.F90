! Arrays of all kinds, and the loops of Fortran and OpenMP over them. All are
! interleaved but one, which may be left early.
!
! RUN: %same_output > %t.remarks
! RUN: sed -n 's/.*F90:\([0-9]*\):[0-9]*: remark: interleaved .*/\1/p' %t.remarks | sort -u | count 15
! RUN: grep 'remark: loop not interleaved' %t.remarks | sort -u | FileCheck %s

module shapes
  implicit none
  integer, parameter :: i8 = selected_int_kind(18), n = 5000
  type item
    integer(i8) :: value
    integer :: next
    real(8) :: weight
  end type
  type bag
    integer(i8), allocatable :: values(:)
    integer :: fixed(n)
    type(item), pointer :: items(:)
  end type
  integer(i8), allocatable :: moduleValues(:)
  integer :: moduleIndices(n)
  integer(i8) :: moduleTotal
contains
  integer(i8) function assumedShape(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    total = 0
    !$omp parallel do reduction(+:total)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      total = total + a(b(i))
    end do
  end function

  integer(i8) function lowerBounds(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(-3:)
    integer, intent(in) :: b(0:)
    integer(i8) :: i
    total = 0
    !$omp parallel do reduction(max:total) schedule(dynamic, 64)
    do i = ubound(b, 1), 0, -2
      call heddle_async() CLAUSES
      call heddle_remote(a(-3))
      total = max(total, a(b(i) - 4) * i)
    end do
  end function

  subroutine explicitShape(m, a, b, c)
    use heddle
    integer, intent(in) :: m
    integer(i8), intent(in) :: a(m)
    integer, intent(in) :: b(m)
    integer(i8), intent(out) :: c(*)
    integer :: i
    do i = 1, m
      call heddle_async() CLAUSES
      call heddle_if(m > 10)
      c(i) = a(b(i)) + a(b(b(i)))
    end do
  end subroutine

  integer(i8) function components(s) result(total)
    use heddle
    type(bag), intent(in) :: s
    integer :: i, k
    total = 0
    !$omp parallel do private(k) reduction(+:total) schedule(guided)
    do i = 1, n
      call heddle_async() CLAUSES
      call heddle_remote(s%values(1))
      call heddle_near(s%fixed(1))
      k = s%fixed(i)
      if (mod(k, 3) == 0) cycle
      total = total + s%values(k) + s%items(k)%value
    end do
  end function

  integer(i8) function chains(items, heads) result(total)
    use heddle
    type(item), pointer, intent(in) :: items(:)
    integer, intent(in) :: heads(:)
    integer :: i, k
    total = 0
    do i = 1, size(heads)
      call heddle_async() CLAUSES
      k = heads(i)
      do while (k /= 0)
        total = total + items(k)%value
        k = items(k)%next
      end do
    end do
    total = total * 10 + mod(i, 10)
  end function

  integer(i8) function moduleLoop() result(total)
    use heddle
    integer :: i
    moduleTotal = 0
    do i = 1, n
      call heddle_async() CLAUSES
      call heddle_shared(moduleTotal)
      call heddle_remote(moduleValues(1))
      moduleTotal = moduleTotal + moduleValues(moduleIndices(i))
    end do
    total = moduleTotal + i
  end function

  subroutine concurrent(a, b, c)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer(i8), intent(out) :: c(:)
    integer :: i
    integer(i8) :: t
    do concurrent (i = 1:size(b)) local(t)
      call heddle_async() CLAUSES
      t = a(b(i))
      c(i) = t * 2 + a(mod(t, int(n, i8)) + 1)
    end do
  end subroutine

  subroutine histogram(b, counts)
    use heddle
    integer, intent(in) :: b(:)
    integer, intent(inout) :: counts(:)
    integer :: i
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call heddle_coalesce(2)
      call heddle_suspensions(3)
      counts(b(b(i))) = counts(b(b(i))) + 1
    end do
  end subroutine

  integer function packed(a, b, found) result(count)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer, intent(out) :: found(:)
    integer :: i
    count = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call heddle_sequential(count)
      if (mod(a(b(i)), 2_i8) == 0) then
        count = count + 1
        found(count) = i
      end if
    end do
  end function

  integer(i8) function collapsed(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i, j
    total = 0
    !$omp parallel do collapse(2) reduction(+:total)
    do i = 1, 50
      do j = 1, 100
        call heddle_async() CLAUSES
        total = total + a(b(j + 100 * (i - 1))) * j
      end do
    end do
  end function

  integer(i8) function insideParallel(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    integer(i8) :: mine
    total = 0
    !$omp parallel private(mine)
    mine = 0
    !$omp do schedule(static, 100)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      mine = mine + a(b(i))
    end do
    !$omp atomic
    total = total + mine
    !$omp end parallel
  end function

  real(8) function matrix(columns, values, starts, x) result(largest)
    use heddle
    integer, intent(in) :: columns(:), starts(:)
    real(8), intent(in) :: values(:), x(:)
    integer :: i, k
    real(8) :: row
    largest = 0
    !$omp parallel do private(row, k) reduction(max:largest)
    do i = 1, size(starts) - 1
      call heddle_async() CLAUSES
      row = 0
      do k = starts(i), starts(i + 1) - 1
        row = row + values(k) * x(columns(k))
      end do
      largest = max(largest, row)
    end do
  end function

  integer(i8) function lastOne(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer(i8) :: last
    integer :: i
    !$omp parallel do lastprivate(last)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      last = a(b(i))
    end do
    total = last
  end function

  integer(i8) function leftEarly(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    total = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      ! CHECK: because of the way out that an iteration may take, {{.*}} (line [[@LINE+1]]){{.*}} [-Rpass-missed=heddle]
      if (a(b(i)) > 49000) exit
      ! CHECK-NOT: {{.}}
      total = total + a(b(i))
    end do
    total = total + i
  end function

  integer(i8) function passed(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    total = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      total = total + later(a(b(i)), i)
    end do
  contains
    integer(i8) function later(x, k)
      integer(i8), intent(in) :: x
      integer, intent(in) :: k
      later = x * k + a(b(k))
    end function
  end function

  integer(i8) function sections(a, b) result(total)
    use heddle
    integer(i8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer(i8) :: part(4)
    integer :: i
    total = 0
    do i = 1, size(b) - 4
      call heddle_async() CLAUSES
      part = a(b(i:i+3))
      total = total + sum(part)
    end do
  end function
end module

program loops
  use shapes
  implicit none
  integer(i8) :: a(n), c(n)
  integer :: b(n), i, counts(n), found(n), starts(101)
  type(bag) :: s
  real(8) :: values(n), x(n)
  integer(i8) :: state
  state = 12345
  do i = 1, n
    state = mod(state * 1103515245_i8 + 12345_i8, 2147483648_i8)
    b(i) = int(mod(state / 65536, int(n, i8))) + 1
    a(i) = mod(state / 7, 50000_i8)
    values(i) = real(b(i), 8) / 16
    x(i) = real(a(i), 8) / 32
  end do
  s%values = a
  s%fixed = b
  allocate (s%items(n))
  do i = 1, n
    s%items(i) = item(a(i), merge(0, i + 1, mod(i, 5) == 0), 1d0)
  end do
  moduleValues = a
  moduleIndices = b
  starts = [(1 + (i - 1) * (n / 100), i = 1, 101)]
  print *, 'assumedShape', assumedShape(a, b), assumedShape(a(::2), (b(::2) + 1) / 2)
  print *, 'lowerBounds', lowerBounds(a, b)
  call explicitShape(n, a, b, c)
  print *, 'explicitShape', sum(c), c(1), c(n)
  print *, 'components', components(s)
  print *, 'chains', chains(s%items, [(i * 5 - 4, i = 1, n / 5)])
  print *, 'moduleLoop', moduleLoop()
  call concurrent(a, b, c)
  print *, 'concurrent', sum(c * [(int(i, i8), i = 1, n)])
  counts = 0
  call histogram(b, counts)
  print *, 'histogram', sum(counts * [(int(i, i8), i = 1, n)])
  i = packed(a, b, found)
  print *, 'packed', i, sum(found(:i) * [(int(i, i8), i = 1, i)])
  print *, 'collapsed', collapsed(a, b)
  print *, 'insideParallel', insideParallel(a, b)
  print *, 'matrix', matrix(b, values, starts, x)
  print *, 'lastOne', lastOne(a, b)
  print *, 'leftEarly', leftEarly(a, b)
  print *, 'passed', passed(a, b)
  print *, 'sections', sections(a, b)
end program
