! PageRank in OpenMP Fortran, of a graph in a file.
!
!   pagerank GRAPH [RANKS]
!
! reads a serialised graph of the GAP benchmark suite (`heddle convert` writes
! them, as NAME.sg) and writes a line with the rank of each vertex to RANKS, or
! else the vertices of the highest ranks. In each round, every vertex gathers
! the shares of the vertices that point to it, and waits for each of them; the
! two calls in pull() let many vertices wait at once.

module pageranks
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  implicit none
  private
  public :: graph, read_graph, page_rank

  !> The edges of vertex v are offset(v) to offset(v + 1) - 1; vertices and
  !> edges count from 0.
  type rows
    integer(int64), allocatable :: offset(:)
    integer(int32), allocatable :: neighbour(:)
  end type

  type graph
    integer(int64) :: vertices
    type(rows) :: out, in
  end type

contains

  !> Reads the graph in the file of that name.
  type(graph) function read_graph(name) result(g)
    character(len=*), intent(in) :: name
    integer(int64) :: edges
    integer :: unit, status
    character :: directed
    character(len=200) :: message

    open (newunit=unit, file=name, access='stream', form='unformatted', &
      status='old', action='read', iostat=status, iomsg=message)
    if (status == 0) read (unit, iostat=status, iomsg=message) &
      directed, edges, g%vertices
    if (status == 0) call read_rows(g%out)
    if (status == 0) then
      if (directed /= achar(0)) then
        call read_rows(g%in)
      else
        g%in = g%out
      end if
    end if
    if (status /= 0) then
      write (*, '(4a)') 'pagerank: ', name, ': ', trim(message)
      error stop 2, quiet=.true.
    end if
    close (unit)

  contains

    subroutine read_rows(r)
      type(rows), intent(out) :: r
      if (g%vertices < 0 .or. edges < 0) then
        status = 1
        message = 'not a serialised graph'
        return
      end if
      allocate (r%offset(0:g%vertices), r%neighbour(0:edges - 1), stat=status)
      message = 'not a serialised graph, or one larger than memory'
      if (status == 0) read (unit, iostat=status, iomsg=message) &
        r%offset, r%neighbour
    end subroutine
  end function

  !> The probability that a random surfer is at each vertex. The surfer follows
  !> random edges and sometimes jumps to a random vertex.
  subroutine page_rank(g, rank)
    type(graph), intent(in) :: g
    real(real64), allocatable, intent(out) :: rank(:)
    real(real64), parameter :: damping = 0.85_real64, tolerance = 1e-4_real64
    integer, parameter :: most_rounds = 20
    real(real64), allocatable :: share(:)
    real(real64) :: change, dangling
    integer(int64) :: v, degree
    integer :: round

    allocate (rank(0:g%vertices - 1), share(0:g%vertices - 1))
    rank = 1 / real(g%vertices, real64)
    do round = 1, most_rounds
      dangling = 0
      !$omp parallel do private(degree) reduction(+ : dangling)
      do v = 0, g%vertices - 1
        degree = g%out%offset(v + 1) - g%out%offset(v)
        share(v) = rank(v) / max(degree, 1_int64)
        if (degree == 0) dangling = dangling + rank(v)
      end do
      change = pull(g%in, share, &
        (1 - damping + damping * dangling) / g%vertices, damping, rank)
      if (change < tolerance) exit
    end do
  end subroutine

  !! [pull]
  !> One round; returns the sum of all changes.
  real(real64) function pull(in, share, base, damping, rank) result(change)
    use heddle
    type(rows), intent(in) :: in
    real(real64), intent(in) :: share(0:), base, damping
    real(real64), intent(inout) :: rank(0:)
    real(real64) :: total
    integer(int64) :: v, e

    change = 0
    !$omp parallel do private(total, e) reduction(+ : change) &
    !$omp   schedule(dynamic, 1024)
    do v = 0, size(rank, kind=int64) - 1
      call heddle_async()
      call heddle_remote(share(0))
      total = 0
      do e = in%offset(v), in%offset(v + 1) - 1
        total = total + share(in%neighbour(e))
      end do
      total = base + damping * total
      change = change + abs(total - rank(v))
      rank(v) = total
    end do
  end function
  !! [pull]

end module pageranks

program pagerank
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use pageranks
  implicit none
  real(real64), allocatable :: rank(:)
  logical, allocatable :: shown(:)
  character(len=1000) :: name
  integer(int64) :: v
  integer :: unit, place, status

  if (command_argument_count() < 1 .or. command_argument_count() > 2) then
    write (*, '(a)') 'usage: pagerank GRAPH [RANKS]'
    error stop 2, quiet=.true.
  end if
  call get_command_argument(1, name)
  call page_rank(read_graph(trim(name)), rank)

  if (command_argument_count() == 2) then
    call get_command_argument(2, name)
    open (newunit=unit, file=trim(name), action='write', iostat=status)
    if (status /= 0) then
      write (*, '(3a)') 'pagerank: cannot write ', trim(name)
      error stop 2, quiet=.true.
    end if
    do v = lbound(rank, 1), ubound(rank, 1)
      write (unit, '(i0, 1x, es14.7)') v, rank(v)
    end do
    close (unit)
  else
    allocate (shown(0:ubound(rank, 1)), source=.false.)
    do place = 1, min(5, size(rank))
      v = maxloc(rank, dim=1, mask=.not. shown) - 1
      shown(v) = .true.
      write (*, '(i0, 1x, f8.6)') v, rank(v)
    end do
  end if
end program pagerank
