! Remarks name the file with its path from the root on, the line of the loop, and
! that of what is to blame.
!
! RUN: rm -rf %t && mkdir %t && cd %t
! RUN: %heddle_flang -O2 -fopenmp -c -Rpass=heddle -Rpass-missed=heddle %s 2>&1 | FileCheck %s -DFILE=%s
! RUN: mkdir sub && cp %s sub/copy.f90 && %heddle_flang -O2 -fopenmp -c -Rpass=heddle -Rpass-missed=heddle sub/copy.f90 2>&1 | FileCheck %s -DFILE=%t/sub/copy.f90
! RUN: cd sub && %heddle_flang -O2 -fopenmp -g -c -Rpass=heddle -Rpass-missed=heddle copy.f90 2>&1 | FileCheck %s -DFILE=%t/sub/copy.f90
! RUN: %heddle_flang -O0 -c -Rpass-missed=heddle %s 2>&1 | FileCheck %s -DFILE=%s --check-prefix=OFF
! RUN: %heddle_flang -O2 -c %s 2>&1 | FileCheck %s --check-prefix=DEFAULT --implicit-check-not=remark: --implicit-check-not=warning:
subroutine loops(a, b, n, s)
  use heddle
  integer(8), intent(in) :: a(:)
  integer, intent(in) :: b(:), n
  integer(8), intent(inout) :: s
  integer :: i
  interface
    subroutine elsewhere(x)
      integer(8), intent(in) :: x
    end subroutine
  end interface

! CHECK-DAG: {{^}}[[FILE]]:[[@LINE+3]]:3: remark: loop not interleaved: it has no long-latency access
! DEFAULT-DAG: warning: {{.*}}remarks.f90:[[@LINE+2]]:3: loop not interleaved: it has no long-latency access
! OFF-DAG: {{^}}[[FILE]]:[[@LINE+1]]:3: remark: loop not interleaved: optimization is off
  do i = 1, n
    call heddle_async()
    s = s + a(i)
  end do

! CHECK-DAG: {{^}}[[FILE]]:[[@LINE+3]]:3: remark: loop not interleaved: everything after its memory accesses must happen in iteration order because of the way out {{.*}}(line [[@LINE+5]])
! DEFAULT-DAG: warning: {{.*}}remarks.f90:[[@LINE+2]]:3: loop not interleaved: everything after its memory accesses
! OFF-DAG: {{^}}[[FILE]]:[[@LINE+1]]:3: remark: loop not interleaved: optimization is off
  do i = 1, n
    call heddle_async()
    if (a(b(i)) == 7) exit
    s = s + a(b(i))
  end do

! CHECK-DAG: {{^}}[[FILE]]:[[@LINE+1]]:9: remark: interleaved the loop's iterations (lockstep
  !$omp parallel do reduction(+:s)
  do i = 1, n
    call heddle_async()
    call heddle_scheduler(heddle_lockstep)
    s = s + a(b(i))
  end do

! What calls other procedures is interleaved too: they do not throw.
! CHECK-DAG: {{^}}[[FILE]]:[[@LINE+1]]:3: remark: interleaved the loop's iterations (FIFO
  do i = 1, n
    call heddle_async()
    call heddle_scheduler(heddle_static)
    call elsewhere(a(b(i)) + 1)
  end do
end subroutine
