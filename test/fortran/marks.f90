! The calls for one loop become one mark, and accesses to arrays that remote and
! near name are tagged, under whatever name.
!
! RUN: rm -rf %t && mkdir %t && cd %t
! RUN: %unoptimised %s 2>/dev/null | %opt -passes=heddle-async-mark -S | FileCheck %s --implicit-check-not=@__heddle_mark
! RUN: %heddle_flang -S -emit-llvm -O0 -fopenmp -o - %s | FileCheck %s --check-prefix=GONE
! RUN: %heddle_flang -S -emit-llvm -O2 -fopenmp -o - %s | FileCheck %s --check-prefix=GONE
! GONE: define {{.*}}@every_
! GONE-NOT: call {{.*}}@__heddle_

! CHECK-LABEL: define void @every_(
! CHECK: call void (i32, ...) @__heddle_async(i32 [[NUMBER:[0-9]+]],
! CHECK-SAME: i32 1, i32 64, i32 2, i32 3, i32 3, i32 4, i32 12, i32 2,
! CHECK-SAME: i32 4, i32 [[CONDITION:%[^ ]*]],
! CHECK-SAME: i32 5, ptr captures(none) %{{[^ ]*}}, i32 6, ptr captures(none) %{{[^ ]*}}, i32 7, ptr captures(none) %{{[^ ]*}})
! CHECK-NOT: !heddle
! CHECK: load i32, ptr %{{.*}}, !heddle.near
! CHECK-NOT: !heddle
! CHECK: load i64, ptr %{{.*}}, !heddle.remote
! CHECK-NOT: !heddle
! CHECK: br label %{{.*}}, !llvm.loop [[LOOP:![0-9]+]]
subroutine every(far, close, n, c, d, count, total)
  use heddle
  integer(8), allocatable, intent(in) :: far(:)
  integer, intent(in) :: close(:), n
  integer(8), intent(inout) :: count, total
  logical, intent(in) :: c, d
  integer :: i, k
  do i = 1, n
    call heddle_async()
    call heddle_tasks(64)
    call heddle_scheduler(heddle_dynamic)
    call heddle_coalesce(4)
    call heddle_suspensions(2)
    call heddle_if(c .and. d)
    call heddle_private(k)
    call heddle_shared(total)
    call heddle_sequential(count)
    call heddle_remote(far(1))
    call heddle_near(close(1))
    total = total + far(close(i))
  end do
end subroutine

! What is left out is left to the compiler, and so is heddle_auto.
! CHECK-LABEL: define void @few_(
! CHECK: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}}, i32 1, i32 0, i32 2, i32 2)
! CHECK: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}})
subroutine few(a, n)
  use heddle
  integer, intent(inout) :: a(:)
  integer, intent(in) :: n
  integer :: i
  do i = 1, n
    call heddle_async()
    call heddle_tasks(heddle_auto)
    call heddle_scheduler(heddle_lockstep)
    a(i) = a(a(i))
  end do
  do concurrent (i = 1 : n)
    call heddle_async()
    a(i) = a(a(i))
  end do
end subroutine

! An array in an object, and one of a module; not those beside them.
! CHECK-LABEL: define void @parts_(
! CHECK: load i64, {{.*}} !heddle.remote
! CHECK: load double, {{.*}} !heddle.remote
! CHECK-NOT: !heddle
! CHECK: ret void
module stores
  type store
    integer(8), allocatable :: far(:)
    integer, allocatable :: index(:)
  end type
  real(8) :: weights(100000)
end module
subroutine parts(s, n, total)
  use heddle
  use stores
  type(store), intent(in) :: s
  integer, intent(in) :: n
  real(8), intent(inout) :: total
  integer :: i
  do i = 1, n
    call heddle_async()
    call heddle_remote(s%far(1))
    call heddle_remote(weights(1))
    total = total + s%far(i) * weights(i)
    if (i > 7) total = total + s%index(i)
  end do
end subroutine

! The loop has the property that goes with the first mark.
! CHECK: [[LOOP]] = distinct !{[[LOOP]], [[PROPERTY:![0-9]+]],
! CHECK: [[PROPERTY]] = !{!"heddle.async", i32 [[NUMBER]]}
