; Accesses to far memory become calls of the runtime unless they are to a page
; that the thread has in sight; what only computes with far addresses stays as it
; is.
;
; RUN: %opt -passes=heddle-far-lower -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define i32 @load(
; CHECK: %[[NUMBER:.*]] = ptrtoint ptr addrspace(100) %p to i64
; CHECK: %[[REGION:.*]] = lshr i64 %[[NUMBER]], 48
; CHECK: %[[INDEX:.*]] = and i64 %[[REGION]], 7
; CHECK: %[[PAGES:.*]] = call ptr @llvm.threadlocal.address.p0(ptr @heddle_far_near)
; CHECK: getelementptr inbounds ptr, ptr %[[PAGES]], i64 %[[INDEX]]
; CHECK: %[[START:.*]] = load i64
; CHECK: %[[OFFSET:.*]] = sub i64 %[[NUMBER]], %[[START]]
; CHECK: getelementptr inbounds {{.*}}, i32 0, i32 2
; CHECK: %[[READABLE:.*]] = load atomic i64, ptr %{{.*}} monotonic
; CHECK: %[[NEAR:.*]] = icmp ult i64 %[[OFFSET]], %[[READABLE]]
; CHECK: br i1 %[[NEAR]], label %[[IS_NEAR:.*]], label %[[IS_FAR:[^,]*]], !prof
; CHECK: [[IS_NEAR]]:
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %{{.*}}, i64 %[[OFFSET]]
; CHECK: [[IS_FAR]]:
; CHECK: %[[CALLED:.*]] = call ptr @heddle_far_load(i64 %{{.*}}, i64 4)
; CHECK: %[[FAR:.*]] = phi ptr [ %[[AT]], %[[IS_NEAR]] ], [ %[[CALLED]], %[[IS_FAR]] ]
; CHECK: %v = load volatile i32, ptr %[[FAR]], align 4
; CHECK: ret i32 %v
define i32 @load(ptr addrspace(100) %p) {
  %v = load volatile i32, ptr addrspace(100) %p, align 4
  ret i32 %v
}

; Far memory that never changes is in memory for a moment only.
; CHECK-LABEL: define i32 @invariant(
; CHECK: load i32, ptr %{{.*}}, align 4{{$}}
define i32 @invariant(ptr addrspace(100) %p) {
  %v = load i32, ptr addrspace(100) %p, align 4, !invariant.load !{}
  ret i32 %v
}

; A value that lies in two pages is put together at a multiple of 64.
; CHECK-LABEL: define <32 x i32> @wide(
; CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 128)
; CHECK: load <32 x i32>, ptr %{{.*}}, align 64
define <32 x i32> @wide(ptr addrspace(100) %p) {
  %v = load <32 x i32>, ptr addrspace(100) %p, align 128
  ret <32 x i32> %v
}

; CHECK-LABEL: define void @store(
; CHECK: %[[ROOM:.*]] = alloca double
; CHECK: getelementptr inbounds {{.*}}, i32 0, i32 3
; CHECK: load atomic i64, ptr %{{.*}} monotonic
; CHECK: store double %v, ptr %{{.*}}, align 8
; CHECK: %[[DIRTY:.*]] = getelementptr inbounds {{.*}}, i32 0, i32 4
; CHECK: store atomic i8 1, ptr %[[DIRTY]] release
; CHECK: store double %v, ptr %[[ROOM]]
; CHECK: call void @heddle_far_store(i64 %{{.*}}, ptr %[[ROOM]], i64 8)
; CHECK-NOT: addrspace(100) %q
define void @store(ptr addrspace(100) %p, double %v) {
  %q = getelementptr double, ptr addrspace(100) %p, i64 3
  store double %v, ptr addrspace(100) %q, align 8
  ret void
}

; Atomic accesses are made in the page itself, which is dirty thereafter.
; CHECK-LABEL: define i64 @update(
; CHECK: getelementptr inbounds {{.*}}, i32 0, i32 3
; CHECK: load atomic i64, ptr %{{.*}} monotonic
; CHECK: br i1 %{{.*}}, label %[[IS_NEAR:.*]], label %[[IS_FAR:[^,]*]], !prof
; CHECK: [[IS_NEAR]]:
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %{{.*}}, i64 %{{.*}}
; CHECK: [[IS_FAR]]:
; CHECK: %[[CALLED:.*]] = call ptr @heddle_far_change(i64 %{{.*}}, i64 8)
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %{{.*}}, i64 %{{.*}}
; CHECK: %[[PAGE:.*]] = phi ptr [ %{{.*}}, %[[IS_NEAR]] ], [ %[[CALLED]], %[[IS_FAR]] ]
; CHECK: %[[FAR:.*]] = phi ptr [ %[[AT]], %[[IS_NEAR]] ], [ %[[PLACE]], %[[IS_FAR]] ]
; CHECK-NEXT: %old = atomicrmw volatile add ptr %[[FAR]], i64 3 syncscope("singlethread") acq_rel, align 8
; CHECK-NEXT: %[[DIRTY:.*]] = getelementptr inbounds {{.*}}, ptr %[[PAGE]], i32 0, i32 4
; CHECK-NEXT: store atomic i8 1, ptr %[[DIRTY]] release
; CHECK-NEXT: ret i64 %old
define i64 @update(ptr addrspace(100) %p) {
  %old = atomicrmw volatile add ptr addrspace(100) %p, i64 3 syncscope("singlethread") acq_rel, align 8
  ret i64 %old
}

; CHECK-LABEL: define { i32, i1 } @exchange(
; CHECK: call ptr @heddle_far_change(i64 %{{.*}}, i64 4)
; CHECK: cmpxchg weak ptr %{{.*}}, i32 1, i32 %new acquire monotonic, align 4
; CHECK: store atomic i8 1, ptr %{{.*}} release
define { i32, i1 } @exchange(ptr addrspace(100) %p, i32 %new) {
  %old = cmpxchg weak ptr addrspace(100) %p, i32 1, i32 %new acquire monotonic, align 4
  ret { i32, i1 } %old
}

; CHECK-LABEL: define double @ordered(
; CHECK: call ptr @heddle_far_change(i64 %{{.*}}, i64 8)
; CHECK: store atomic double %v, ptr %{{.*}} release, align 8{{$}}
; CHECK: store atomic i8 1, ptr %{{.*}} release
; CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 8)
; CHECK: load atomic double, ptr %{{.*}} acquire, align 8{{$}}
define double @ordered(ptr addrspace(100) %p, ptr addrspace(100) %q, double %v) {
  store atomic double %v, ptr addrspace(100) %p release, align 8, !tbaa !0
  %w = load atomic double, ptr addrspace(100) %q acquire, align 8, !tbaa !0
  ret double %w
}

; A place that holds its own address.
; CHECK-LABEL: define void @itself(
; CHECK: store atomic ptr addrspace(100) %p, ptr %{{.*}} monotonic, align 8
define void @itself(ptr addrspace(100) %p) {
  store atomic ptr addrspace(100) %p, ptr addrspace(100) %p monotonic, align 8
  ret void
}

; It may lie in two pages.
; CHECK-LABEL: define i32 @unaligned(
; CHECK-NOT: br
; CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 4)
; CHECK-NOT: br
; CHECK: ret i32
define i32 @unaligned(ptr addrspace(100) %p) {
  %v = load i32, ptr addrspace(100) %p, align 2
  ret i32 %v
}

; CHECK-LABEL: define i32 @small(
; CHECK-NOT: br
; CHECK: call ptr @heddle_far_load(i64 %{{.*}}, i64 4)
; CHECK-NOT: br
; CHECK: call void @heddle_far_store(i64 %{{.*}}, ptr %{{.*}}, i64 4)
; CHECK-NOT: br
; CHECK: ret i32
define i32 @small(ptr addrspace(100) %p) optsize {
  %v = load i32, ptr addrspace(100) %p, align 4
  store i32 7, ptr addrspace(100) %p, align 4
  ret i32 %v
}

; CHECK-LABEL: define i32 @smallUpdate(
; CHECK-NOT: br
; CHECK: %[[PAGE:.*]] = call ptr @heddle_far_change(i64 %{{.*}}, i64 4)
; CHECK-NOT: br
; CHECK: %[[DIRTY:.*]] = getelementptr inbounds {{.*}}, ptr %[[PAGE]], i32 0, i32 4
; CHECK: ret i32
define i32 @smallUpdate(ptr addrspace(100) %p) optsize {
  %v = atomicrmw or ptr addrspace(100) %p, i32 4 monotonic, align 4
  ret i32 %v
}

; CHECK-LABEL: define void @copies(
; CHECK: call void @heddle_far_read(ptr %near, i64 %{{.*}}, i64 %n)
; CHECK: call void @heddle_far_store(i64 %{{.*}}, ptr %near, i64 100)
; CHECK: call void @heddle_far_move(i64 %{{.*}}, i64 %{{.*}}, i64 200)
; CHECK: call void @heddle_far_fill(i64 %{{.*}}, i8 7, i64 300)
; CHECK-NEXT: ret void
define void @copies(ptr %near, ptr addrspace(100) %p, ptr addrspace(100) %q, i64 %n) {
  call void @llvm.memcpy.p0.p100.i64(ptr %near, ptr addrspace(100) %p, i64 %n, i1 false)
  call void @llvm.memmove.p100.p0.i64(ptr addrspace(100) %p, ptr %near, i64 100, i1 false)
  call void @llvm.memmove.p100.p100.i64(ptr addrspace(100) %p, ptr addrspace(100) %q, i64 200, i1 false)
  call void @llvm.memset.p100.i64(ptr addrspace(100) %p, i8 7, i64 300, i1 false)
  ret void
}

; CHECK-LABEL: define ptr addrspace(100) @computes(
; CHECK-NOT: heddle
; CHECK: store ptr addrspace(100) %q, ptr %place
; CHECK: call void @opaque(ptr addrspace(100) %q)
define ptr addrspace(100) @computes(ptr addrspace(100) %p, ptr %place, i1 %c) {
  %q = getelementptr i8, ptr addrspace(100) %p, i64 9
  store ptr addrspace(100) %q, ptr %place
  call void @opaque(ptr addrspace(100) %q)
  %s = select i1 %c, ptr addrspace(100) %q, ptr addrspace(100) null
  ret ptr addrspace(100) %s
}

declare void @opaque(ptr addrspace(100))
declare void @llvm.memcpy.p0.p100.i64(ptr, ptr addrspace(100), i64, i1)
declare void @llvm.memmove.p100.p0.i64(ptr addrspace(100), ptr, i64, i1)
declare void @llvm.memmove.p100.p100.i64(ptr addrspace(100), ptr addrspace(100), i64, i1)
declare void @llvm.memset.p100.i64(ptr addrspace(100), i8, i64, i1)

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"tbaa root"}
