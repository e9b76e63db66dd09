! Each mistake is one warning that names its line, at every level; what is wrong
! is ignored, and the program is right.
!
! RUN: rm -rf %t && mkdir %t && cd %t
! RUN: for level in -O0 -O2; do %heddle_flang $level %s -o program 2>&1 | FileCheck %s --implicit-check-not=warning: && ./program | FileCheck %s --check-prefix=RUNS || exit 1; done
! RUN: %heddle_flang -O2 -Rpass=heddle -c %s 2>&1 | FileCheck %s --check-prefix=STILL
! RUNS: 55 120 55
subroutine values(a, s, k)
  use heddle
  integer, intent(in) :: a(:), k
  integer, intent(inout) :: s
  integer :: i
! The clauses that are right are heeded.
! STILL: misuse.F90:[[@LINE+1]]:3: remark: interleaved the loop's iterations (FIFO schedule): {{.*}} 8 tasks in flight
  do i = 1, size(a)
    call heddle_async()
! CHECK-DAG: warning: {{.*}}misuse.F90:[[@LINE+1]]:5: heddle_async() is ignored: the loop is marked already
    call heddle_async()
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: its argument must be between 1 and 1024, not 0
    call heddle_tasks(0)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: its argument must be between 1 and 1024, not 1025
    call heddle_tasks(1025)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: its argument is not a constant
    call heddle_tasks(k)
    call heddle_tasks(8)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: the loop has one already
    call heddle_tasks(9)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_coalesce() is ignored: its argument must be between 1 and 2147483647, not -1
    call heddle_coalesce(-1)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_suspensions() is ignored: its argument must be between 1 and 2147483647, not 0
    call heddle_suspensions(0)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_scheduler() is ignored: its argument must be heddle_fifo, heddle_lockstep or heddle_dynamic, not 4
    call heddle_scheduler(4)
    call heddle_scheduler(heddle_fifo)
    call heddle_shared(s)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_sequential() is ignored: heddle_shared() names the variable as well
    call heddle_sequential(s)
    call heddle_remote(a(1))
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_near() is ignored: heddle_remote() names the variable as well
    call heddle_near(a(1))
    s = s + a(a(i))
  end do
end subroutine

subroutine places(a, s, k)
  use heddle
  integer, intent(in) :: a(:), k
  integer, intent(inout) :: s
  integer :: i, j
! CHECK-DAG: misuse.F90:[[@LINE+1]]:3: heddle_async() is ignored: it is not in a loop whose body can run twice
  call heddle_async()
  call heddle_tasks(8)
  do i = 1, size(a)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: heddle_async() must come before it in the same loop
    call heddle_tasks(8)
    s = s + a(i)
    do j = 1, 1
! CHECK-DAG: misuse.F90:[[@LINE+1]]:18: heddle_async() is ignored: some iterations skip it; use heddle_if() for conditions
      if (k > 5) call heddle_async()
      call heddle_coalesce(2)
      s = s + 1
    end do
  end do
  do i = 1, size(a)
    call heddle_async()
! CHECK-DAG: misuse.F90:[[@LINE+1]]:16: heddle_tasks() is ignored: some iterations skip it
    if (k > 5) call heddle_tasks(8)
    if (a(i) > 5) cycle
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_coalesce() is ignored: some iterations skip it
    call heddle_coalesce(8)
    s = s + a(a(i))
    do j = 1, 2
! CHECK-DAG: misuse.F90:[[@LINE+1]]:7: heddle_private() is ignored: heddle_async() must come before it in the same loop
      call heddle_private(s)
      s = s + j
    end do
  end do
  do i = 1, size(a)
! CHECK-DAG: misuse.F90:[[@LINE+1]]:5: heddle_tasks() is ignored: heddle_async() must come before it in the same loop
    call heddle_tasks(8)
    call heddle_async()
  end do
  return
  call heddle_async()
end subroutine

! Its address is that of a procedure which does nothing.
subroutine addresses(a, s)
  use heddle
  integer, intent(in) :: a(:)
  integer, intent(inout) :: s
  procedure(heddle_async), pointer :: mark
  integer :: i
  mark => heddle_async
  do i = 1, size(a)
    call mark()
    s = s + a(i)
  end do
end subroutine

program misuse
  interface
    subroutine values(a, s, k)
      integer, intent(in) :: a(:), k
      integer, intent(inout) :: s
    end subroutine
    subroutine places(a, s, k)
      integer, intent(in) :: a(:), k
      integer, intent(inout) :: s
    end subroutine
    subroutine addresses(a, s)
      integer, intent(in) :: a(:)
      integer, intent(inout) :: s
    end subroutine
  end interface
  integer :: a(10), i, s(3)
  a = [(11 - i, i = 1, 10)]
  s = 0
  call values(a, s(1), 3)
  call places(a, s(2), 3)
  call addresses(a, s(3))
  print '(i0,1x,i0,1x,i0)', s
end program
