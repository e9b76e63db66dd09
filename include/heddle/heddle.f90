! heddle.f90 - Loops of Fortran programs that ask for interleaving.
!
! The iterations of a loop whose body calls heddle_async() are interleaved, as
! those of a loop under `#pragma heddle async` are in C. The other subroutines
! are the clauses; call them in the same body, after heddle_async().
!
!   do i = 1, n
!     call heddle_async()
!     call heddle_tasks(64)
!     total = total + weight(neighbour(i))
!   end do
!
! heddle-flang reads these calls and removes them, so the program does not link
! to them. With other compilers, compile this file as part of the program; its
! procedures do nothing. docs/fortran.md describes all of them.

module heddle
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private

  public :: heddle_async, heddle_tasks, heddle_scheduler, heddle_coalesce, &
    heddle_suspensions, heddle_if, heddle_private, heddle_shared, &
    heddle_sequential, heddle_remote, heddle_near

  !> For heddle_tasks: as many as suit this host and loop.
  integer(c_int), parameter, public :: heddle_auto = -1

  !> For heddle_scheduler.
  integer(c_int), parameter, public :: heddle_fifo = 1
  integer(c_int), parameter, public :: heddle_lockstep = 2
  integer(c_int), parameter, public :: heddle_dynamic = 3
  !> Another name of heddle_fifo.
  integer(c_int), parameter, public :: heddle_static = heddle_fifo

  !> Interleave only if the condition is true when the loop is reached.
  interface heddle_if
    procedure heddle_if_1, heddle_if_2, heddle_if_4, heddle_if_8
  end interface

contains

  !> Interleave the iterations of the innermost loop around this call.
  pure subroutine heddle_async() bind(C, name="__heddle_mark_async")
  end subroutine

  !> Keep this many iterations in flight, 1 to 1024 or heddle_auto.
  pure subroutine heddle_tasks(number) bind(C, name="__heddle_mark_tasks")
    integer(c_int), value :: number
  end subroutine

  !> Always use this schedule.
  pure subroutine heddle_scheduler(schedule) &
      bind(C, name="__heddle_mark_scheduler")
    integer(c_int), value :: schedule
  end subroutine

  !> Issue at most this many requests at one suspension.
  pure subroutine heddle_coalesce(number) bind(C, name="__heddle_mark_coalesce")
    integer(c_int), value :: number
  end subroutine

  !> Suspend an iteration at most this many times.
  pure subroutine heddle_suspensions(number) &
      bind(C, name="__heddle_mark_suspensions")
    integer(c_int), value :: number
  end subroutine

  !> Each iteration has its own variable.
  pure subroutine heddle_private(variable) bind(C, name="__heddle_mark_private")
    type(*), intent(in) :: variable
  end subroutine

  !> Updates of the variable are commutative.
  pure subroutine heddle_shared(variable) bind(C, name="__heddle_mark_shared")
    type(*), intent(in) :: variable
  end subroutine

  !> The variable is updated in the order of the iterations.
  pure subroutine heddle_sequential(variable) &
      bind(C, name="__heddle_mark_sequential")
    type(*), intent(in) :: variable
  end subroutine

  !> Accesses to the array of this element wait for memory.
  pure subroutine heddle_remote(element) bind(C, name="__heddle_mark_remote")
    type(*), intent(in) :: element
  end subroutine

  !> Accesses to the array of this element never wait.
  pure subroutine heddle_near(element) bind(C, name="__heddle_mark_near")
    type(*), intent(in) :: element
  end subroutine

  pure subroutine heddle_if_1(condition) bind(C, name="__heddle_mark_if_1")
    logical(1), value :: condition
  end subroutine

  pure subroutine heddle_if_2(condition) bind(C, name="__heddle_mark_if_2")
    logical(2), value :: condition
  end subroutine

  pure subroutine heddle_if_4(condition) bind(C, name="__heddle_mark_if_4")
    logical(4), value :: condition
  end subroutine

  pure subroutine heddle_if_8(condition) bind(C, name="__heddle_mark_if_8")
    logical(8), value :: condition
  end subroutine

end module heddle
