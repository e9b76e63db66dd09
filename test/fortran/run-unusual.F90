! Loops that are easily got wrong.
!
! RUN: %same_output
module types
  implicit none
  type node
    integer :: key = 0
    type(node), pointer :: next => null()
  end type
  type bucket
    type(node), pointer :: first => null()
  end type
  type graph
    integer :: n
    integer(8), allocatable :: offsets(:)
    integer, allocatable :: targets(:)
  end type
end module
module kernels
  use types
  implicit none
  real, allocatable, save :: field(:,:)
  interface
    subroutine external_touch(i, s)
      integer, intent(in) :: i
      integer(8), intent(inout) :: s
    end subroutine
  end interface
contains
  ! hash table with pointers
  integer function hits(table, keys)
    use heddle
    type(bucket), intent(in) :: table(0:)
    integer, intent(in) :: keys(:)
    type(node), pointer :: p
    integer :: i, found
    found = 0
    !$omp parallel do private(p) reduction(+:found)
    do i = 1, size(keys)
      call heddle_async() CLAUSES
      p => table(modulo(keys(i) * 31, size(table)))%first
      do while (associated(p))
        if (p%key == keys(i)) then
          found = found + 1
          exit
        end if
        p => p%next
      end do
    end do
    hits = found
  end function
  ! optional absent
  integer(8) function maybe(b, a) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer(8), intent(in), optional :: a(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      if (present(a)) then
        s = s + a(b(i))
      else
        s = s + b(b(i))
      end if
    end do
  end function
  integer(8) function maybeAlloc(b, a) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer(8), intent(in), allocatable, optional :: a(:)
    integer :: i
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      if (present(a)) then
        if (allocated(a)) s = s + a(b(i))
      else
        s = s + b(b(i))
      end if
    end do
  end function
  ! descriptor changed in loop
  integer(8) function moving(b, p, q) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer(8), pointer, intent(inout) :: p(:)
    integer(8), pointer, intent(in) :: q(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      if (i == 7) p => q
      if (b(i) > 5) s = s + p(b(i))
    end do
  end function
  ! allocatable grown inside
  integer(8) function growing(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer, allocatable :: t(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      allocate (t(mod(b(i), 5) + 1))
      t = b(b(i))
      s = s + sum(t)
      deallocate (t)
    end do
  end function
  ! external procedure with the loop variable
  integer(8) function calling(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, k
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call heddle_private(k)
      k = b(b(i))
      call external_touch(k, s)
    end do
  end function
  integer(8) function callingI(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer(8) :: t
    integer :: i
    s = 0
    !$omp parallel do reduction(+:s) private(t)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      call heddle_private(i)
      t = b(b(i))
      call external_touch(i, t)
      s = s + t
    end do
  end function
  subroutine csr(g, x, y)
    use heddle
    type(graph), intent(in) :: g
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(:)
    integer :: v
    integer(8) :: e
    !$omp parallel do private(e) schedule(dynamic, 32)
    do v = 1, g%n
      call heddle_async() CLAUSES
      y(v) = 0
      do e = g%offsets(v), g%offsets(v + 1) - 1
        y(v) = y(v) + x(g%targets(e))
      end do
    end do
  end subroutine
  ! field 2d, module, real(4), nested, simd
  real(8) function plane(b) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer :: i, j
    s = 0
    do j = 1, size(field, 2)
      do i = 1, size(field, 1)
        call heddle_async() CLAUSES
        s = max(s, real(field(b(i), mod(b(i), size(field, 2)) + 1), 8))
      end do
    end do
  end function
  ! critical and atomic
  integer(8) function locked(b, h) result(s)
    use heddle
    integer, intent(in) :: b(:)
    integer, intent(inout) :: h(:)
    integer :: i
    integer(8) :: t
    t = 0
    !$omp parallel do
    do i = 1, size(b)
      call heddle_async() CLAUSES
      !$omp atomic
      h(b(b(i))) = h(b(b(i))) + 1
      if (mod(i, 100) == 0) then
      !$omp critical
      t = t + b(b(i))
      !$omp end critical
      end if
    end do
    s = t
  end function
  integer(8) function strings(words, b) result(s)
    use heddle
    character(len=*), intent(in) :: words(:)
    integer, intent(in) :: b(:)
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      if (words(b(i)) > 'm') s = s + ichar(words(b(i))(1:1)) + len_trim(words(b(i)))
    end do
  end function
  integer(8) function whileLoop(next, start) result(s)
    use heddle
    integer, intent(in) :: next(:), start
    integer :: k
    k = start
    s = 0
    do while (k > 0)
      call heddle_async() CLAUSES
      s = s + next(next(k) + 1)
      k = k - 3
    end do
  end function
  integer(8) function taskloop(a, b) result(s)
    use heddle
    integer(8), intent(inout) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    !$omp parallel
    !$omp single
    !$omp taskloop
    do i = 1, size(b)
      call heddle_async() CLAUSES
      a(i) = b(b(b(i)))
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    s = sum(a)
  end function
  integer(8) function simd(a, b) result(s)
    use heddle
    integer(8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer :: i
    s = 0
    !$omp parallel do simd reduction(+:s)
    do i = 1, size(b)
      call heddle_async() CLAUSES
      s = s + a(b(i))
    end do
  end function
  recursive integer(8) function tree(a, b, depth) result(s)
    use heddle
    integer(8), intent(in) :: a(:)
    integer, intent(in) :: b(:), depth
    integer :: i
    s = 0
    do i = 1, size(b)
      call heddle_async() CLAUSES
      s = s + a(b(i))
      if (depth > 0 .and. mod(i, 1000) == 0) s = s + tree(a, b(:i), depth - 1)
    end do
  end function
  subroutine goTos(a, b, s)
    use heddle
    integer(8), intent(in) :: a(:)
    integer, intent(in) :: b(:)
    integer(8), intent(out) :: s
    integer :: i
    s = 0
    do 20 i = 1, size(b)
      call heddle_async() CLAUSES
      if (b(i) < 100) goto 20
      if (b(i) < 200) goto 10
      s = s + a(b(i))
 10   s = s + 1
 20 continue
    s = s + i
  end subroutine
end module
subroutine external_touch(i, s)
  integer, intent(in) :: i
  integer(8), intent(inout) :: s
  s = s + i * 3
end subroutine
program nasty
  use kernels
  implicit none
  integer, parameter :: n = 4000
  integer :: b(n), i, h(n)
  integer(8) :: a(n), s
  integer(8), pointer :: p(:), q(:)
  type(bucket) :: table(0:511)
  type(node), pointer :: new
  type(graph) :: g
  real(8) :: x(n), y(n)
  character(len=8) :: words(n)
  integer(8), allocatable :: none(:), some(:)
  do i = 1, n
    b(i) = mod(i * 7919, n) + 1
    a(i) = mod(i * 104729_8, 10007_8)
    allocate (new)
    new%key = b(i) * 2
    new%next => table(modulo(new%key * 31, 512))%first
    table(modulo(new%key * 31, 512))%first => new
    x(i) = a(i)
    write (words(i), '(a,i0)') char(97 + mod(i, 26)), i
  end do
  some = a
  print *, hits(table, b)
  print *, maybe(b), maybe(b, a), maybeAlloc(b), maybeAlloc(b, none), maybeAlloc(b, some)
  allocate (p(n), q(n))
  p = a
  q = a * 2
  print *, moving(b, p, q), growing(b), calling(b), callingI(b)
  g%n = n / 4
  g%offsets = [(int(i * 4 - 3, 8), i = 1, n / 4 + 1)]
  g%targets = b
  call csr(g, x, y)
  print *, sum(y(:n/4))
  allocate (field(n, 7))
  do i = 1, 7
    field(:, i) = real(x) * i
  end do
  print *, plane(b)
  h = 0
  print *, locked(b, h), sum(h), h(17)
  print *, strings(words, b), whileLoop(b(:n/2), n/3)
  s = taskloop(a, b)
  print *, s, simd(a, b), tree(a, b, 2)
  call goTos(a, b, s)
  print *, s
end program
