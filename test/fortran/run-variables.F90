! Variables and arrays of all kinds and classes: private and local ones, those
! of reductions, conditions and loop variables.
!
! RUN: %same_output > %t.remarks
! RUN: grep -c 'interleaved the loop' %t.remarks
! RUN: sed -n 's/.*F90:\([0-9]*\):.*private to the thread, not.*/\1/p' %t.remarks | sort -u | count 5

module m
contains
  integer(8) function reduced(b, counts) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer, intent(inout) :: counts(16)
    integer :: i
    !$omp parallel do reduction(+:counts)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      counts(mod(b(b(i)), 16) + 1) = counts(mod(b(b(i)), 16) + 1) + 1
    end do
    s = sum(counts * [(i, i = 1, 16)])
  end function
  integer(8) function firstAndLast(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, first(4), last(4)
    first = [1, 2, 3, 4]
    s = 0
    !$omp parallel do firstprivate(first) lastprivate(last) reduction(+:s)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      last(1) = b(b(i))
      last(2:4) = last(1) + first(2:4)
      s = s + b(mod(sum(last), size(b)) + 1)
    end do
    s = s + sum(last)
  end function
  integer(8) function scratch(b, m) result(s)
    use heddle
    integer, intent(in) :: b(:), m
    integer :: i, k
    integer, allocatable :: w(:)
    integer :: auto(m)
    s = 0
    !$omp parallel private(w, k, auto) reduction(+:s)
    allocate (w(m))
    !$omp do
    do i = 1, size(b)
      call heddle_async() CLAUSES
      do k = 1, m
        w(k) = b(mod(b(i) + k * 37, size(b)) + 1)
        auto(k) = w(k)
      end do
      s = s + b(w(mod(b(i), m) + 1)) + b(auto(2))
    end do
    deallocate (w)
    !$omp end parallel
  end function
  integer(8) function handed(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, t(5)
    s = 0
    !$omp parallel do private(t) reduction(+:s)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call fill(t, b, i)
      s = s + b(t(3)) + b(t(5))
    end do
  end function
  subroutine fill(t, b, i)
    integer, intent(out) :: t(:)
    integer, intent(in) :: b(:), i
    integer :: k
    do k = 1, size(t)
      t(k) = b(mod(b(i) * k, size(b)) + 1)
    end do
  end subroutine
  integer(8) function blocks(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      block
        integer, allocatable :: t(:)
        integer :: k
        allocate (t(mod(b(i), 5) + 1))
        do k = 1, size(t)
          t(k) = b(b(mod(b(i) + k, size(b)) + 1))
        end do
        s = s + sum(t)
      end block
    end do
  end function
  integer(8) function autos(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      block
        integer :: t(mod(b(i), 5) + 1)
        t = b(b(i))
        s = s + sum(t)
      end block
    end do
  end function
  integer(8) function fixed(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, t(8), k
    s = 0
    !$omp parallel do private(t, k) reduction(+:s)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      do k = 1, 8
        t(k) = b(mod(b(i) + k * 37, size(b)) + 1)
      end do
      s = s + b(t(mod(b(i), 8) + 1)) + b(t(3))
    end do
  end function
  ! A private array outside OpenMP
  integer(8) function named(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, t(8), k
    s = 0
    t = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call heddle_private(t(1))
      do k = 1, 8
        t(k) = b(mod(b(i) + k * 37, size(b)) + 1)
      end do
      s = s + b(t(mod(b(i), 8) + 1)) + b(t(3))
    end do
    if (size(b) == 3) s = s + t(3)
  end function
  real(4) function singles(x, b) result(s)
    use heddle
    real(4), intent(in) :: x(:)
    integer(2), intent(in) :: b(:)
    integer(2) :: i
    s = -1e30
    do i = 1_2, int(size(b), 2)
      call heddle_async() CLAUSES
      s = max(s, x(b(i)) * 2)
    end do
  end function
  complex(8) function complexes(x, b) result(s)
    use heddle
    complex(8), intent(in) :: x(:)
    integer, intent(in) :: b(:)
    integer(8) :: i
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, size(b, kind=8)
      call heddle_async() CLAUSES
      s = s + x(b(i))
    end do
  end function
  integer function logicals(x, b) result(c)
    use heddle
    logical(1), intent(in) :: x(:)
    integer, intent(in) :: b(:)
    logical :: any_, all_
    integer :: i
    any_ = .false.; all_ = .true.
    !$omp parallel do reduction(.or.:any_) reduction(.and.:all_)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      any_ = any_ .or. x(b(i))
      all_ = all_ .and. x(b(i))
    end do
    c = merge(1, 0, any_) + merge(10, 0, all_)
  end function
  subroutine doubled(a, b)
    use heddle
    integer(8), intent(inout), target :: a(:)
    integer, intent(in) :: b(:)
    integer(8), pointer :: p(:)
    integer :: i
    p => a
    do concurrent (i = 1 : size(b))
      call heddle_async() CLAUSES
      if (mod(i, 3) /= 0) &
      p(b(i)) = p(b(i)) * 2 + i
    end do
  end subroutine
  subroutine two_d(a, b)
    use heddle
    integer(8), intent(inout) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i, j
    do concurrent (i = 1 : 40, j = 1 : 100)
      call heddle_async() CLAUSES
      a(b(i + 40 * (j - 1))) = a(b(i + 40 * (j - 1))) + i * j
    end do
  end subroutine
  integer(8) function conditional(a, b, flag1, flag4, n) result(s)
    use heddle
    integer(8), intent(in) :: a(:)
    integer, intent(in) :: b(:), n
    logical(1), intent(in) :: flag1
    logical(4), intent(in) :: flag4
    integer :: i
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      call heddle_async() CLAUSES
      call heddle_if(flag1 .or. flag4 .and. n > 100)
      s = s + a(b(i))
    end do
    do i = 1, n
      call heddle_async() CLAUSES
      call heddle_if(flag1)
      s = s + a(b(i))
    end do
  end function
  ! The loop variable after the loop, and negative and zero trips.
  integer function ends(a, b) result(s)
    use heddle
    integer(8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    integer(8) :: t
    t = 0
    do i = size(b), 1, -7
      call heddle_async() CLAUSES
      t = t + a(b(i))
    end do
    s = i
    do i = 5, 1
      call heddle_async() CLAUSES
      t = t + a(b(i))
    end do
    s = s * 100 + i + int(mod(t, 100_8)) * 1000
  end function
end module
program p
  use m
  integer, parameter :: n = 4000
  integer :: b(n), i, counts(16)
  integer(8) :: a(n)
  real(4) :: x(n)
  complex(8) :: z(n)
  logical(1) :: l(n)
  do i = 1, n
    b(i) = mod(i * 7919, n) + 1
    a(i) = mod(i * 104729_8, 10007_8)
    x(i) = a(i)
    z(i) = cmplx(a(i), b(i), 8)
    l(i) = mod(a(i), 3_8) == 0
  end do
  counts = 0
  print *, reduced(b, counts), firstAndLast(b), scratch(b, 8), handed(b)
  print *, blocks(b), autos(b), fixed(b), named(b)
  print *, singles(x, int(b, 2)), complexes(z, b), logicals(l, b)
  call doubled(a, b)
  print *, sum(a * b)
  call two_d(a, b)
  print *, sum(a * b)
  print *, conditional(a, b, .true._1, .false., n), conditional(a, b, .false._1, .true., n), conditional(a, b, .false._1, .false., n)
  print *, ends(a, b)
end program
