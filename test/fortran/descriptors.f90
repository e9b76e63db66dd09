! Where an array is only used under conditions, its descriptor is copied in
! front of the loop, unless the loop may change it.
!
! RUN: rm -rf %t && mkdir %t && cd %t
! RUN: %unoptimised %s 2>/dev/null | %opt -passes=heddle-async-mark -S | FileCheck %s

! CHECK-DAG: @heddle.absent = private constant [1024 x i8] zeroinitializer

! CHECK-LABEL: define i64 @kept_(
! CHECK: [[PRESENT:%.*]] = icmp ne ptr %0, null
! CHECK: [[FROM:%.*]] = select i1 [[PRESENT]], ptr %{{.*}}, ptr @heddle.absent
! CHECK: call void @llvm.memcpy.{{.*}}(ptr align 8 [[COPY:%[0-9]+]], ptr align 1 [[FROM]],
! CHECK: @__heddle_async
! CHECK: [[START:%.*]] = getelementptr inbounds i8, ptr [[COPY]], i64 0
! CHECK: call void @llvm.memcpy.{{.*}}, ptr [[START]],
integer(8) function kept(a, b) result(s)
  use heddle
  integer(8), allocatable, optional, intent(in) :: a(:)
  integer, intent(in) :: b(:)
  integer :: i
  s = 0
  do i = 1, size(b)
    call heddle_async()
    if (present(a)) s = s + a(b(i))
  end do
end function

! CHECK-LABEL: define i64 @changed_(
! CHECK-NOT: icmp ne ptr %0, null
! CHECK: ret i64
integer(8) function changed(a, b, other) result(s)
  use heddle
  integer(8), pointer, intent(inout) :: a(:)
  integer, intent(in) :: b(:)
  integer(8), pointer, intent(in) :: other(:)
  integer :: i
  s = 0
  do i = 1, size(b)
    call heddle_async()
    if (b(i) > 7) a => other
    if (b(i) > 3) s = s + a(b(i))
  end do
end function
