# What is compiled for each level of instructions, and the program of a level.

# heddle_bench_library(<target> <level> <source>...): a library of objects.
# Loops start on cache lines, for where one falls otherwise is worth up to 15 %.
# Some are left alone, to show that the directive costs them nothing.
function(heddle_bench_library target level)
  add_library(${target} OBJECT ${ARGN})
  heddle_bench_flags(flags ${level})
  target_compile_options(${target} PRIVATE
    ${flags} -falign-loops=64 -Wno-pass-failed)
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_CXX)
endfunction()

# The kernels as a user would write them, compiled twice: by the plain compiler
# and with the directive honoured. All else about the two is the same.
function(heddle_bench_loops level)
  foreach(version serial heddle)
    set(loops heddle_bench_loops_${version}_${level})
    heddle_bench_library(${loops} ${level} kernels/Loops.cpp)
    target_compile_definitions(${loops} PRIVATE
      HEDDLE_BENCH_LOOPS=${version}Loops)
  endforeach()
  target_compile_options(heddle_bench_loops_serial_${level} PRIVATE
    -Wno-unknown-pragmas)
  heddle_target_async(heddle_bench_loops_heddle_${level})
endfunction()

# The phases of PageRank, compiled without vector code and with it.
function(heddle_bench_phases level)
  foreach(code Scalar Vector)
    string(TOLOWER ${code} suffix)
    set(phases heddle_bench_phases_${suffix}_${level})
    heddle_bench_library(${phases} ${level} graph/PhaseLoops.cpp)
    target_compile_definitions(${phases} PRIVATE HEDDLE_BENCH_CODE=${code})
    target_link_libraries(${phases} PRIVATE Heddle::graph)
    heddle_target_async(${phases})
  endforeach()
  target_compile_options(heddle_bench_phases_scalar_${level} PRIVATE
    -fno-vectorize -fno-slp-vectorize)
endfunction()

# The dynamic stores, in the four ways of GastCoCo's figure 14. Each has the
# library in a namespace of its own, lest the linker take one for all.
function(heddle_bench_stores level)
  foreach(strategy plain prefetch interleaved full)
    set(stores heddle_bench_stores_${strategy}_${level})
    heddle_bench_library(${stores} ${level} dynamic/StoreLoops.cpp)
    target_compile_definitions(${stores} PRIVATE
      HEDDLE_BENCH_STORES=${strategy}Stores heddle=heddle_${strategy})
    target_link_libraries(${stores} PRIVATE Heddle::graph)
    if(strategy STREQUAL plain)
      target_compile_options(${stores} PRIVATE -Wno-unknown-pragmas)
    else()
      heddle_target_async(${stores})
    endif()
  endforeach()
  target_compile_options(heddle_bench_stores_prefetch_${level} PRIVATE
    "SHELL:-mllvm -heddle-suspensions=false")
  target_compile_options(heddle_bench_stores_interleaved_${level} PRIVATE
    "SHELL:-mllvm -heddle-requests=false")
endfunction()

# The loops over data in a file: of far memory with the directive and without
# it, of a mapped file, and of a cache that is called for each access.
function(heddle_bench_far level)
  foreach(loops heddle waiting mapped cached)
    set(library heddle_bench_far_${loops}_${level})
    heddle_bench_library(${library} ${level} far/FarLoops.cpp)
    target_compile_definitions(${library} PRIVATE
      HEDDLE_BENCH_LOOPS=${loops}FarLoops)
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    if(loops MATCHES "heddle|waiting")
      target_compile_definitions(${library} PRIVATE HEDDLE_BENCH_FAR)
      target_link_libraries(${library} PRIVATE Heddle::far)
      heddle_target_async(${library})
    endif()
  endforeach()
  target_compile_definitions(heddle_bench_far_heddle_${level} PRIVATE
    HEDDLE_BENCH_DIRECTIVE)
  target_compile_definitions(heddle_bench_far_mapped_${level} PRIVATE
    HEDDLE_BENCH_MAPPED)
  target_compile_definitions(heddle_bench_far_cached_${level} PRIVATE
    HEDDLE_BENCH_CACHED)
endfunction()

# Everyday programs, compiled without the plugin and with it.
function(heddle_bench_programs level)
  foreach(form plain directive)
    set(programs heddle_bench_programs_${form}_${level})
    heddle_bench_library(${programs} ${level}
      programs/graphs/BestFirst.cpp
      programs/graphs/BinnedPaths.cpp
      programs/graphs/BufferedSearch.cpp
      programs/graphs/CommunityMoves.cpp
      programs/graphs/Components.cpp
      programs/graphs/PageRank.cpp
      programs/graphs/QueueSearch.cpp
      programs/graphs/Triangles.cpp
      programs/graphs/UnionFind.cpp
      programs/lists/Filter.cpp
      programs/lists/FirstHit.cpp
      programs/lists/Lists.cpp
      programs/tables/CrossSections.cpp
      programs/tables/FlatSet.cpp
      programs/tables/GroupTotals.cpp
      programs/tables/Histogram.cpp
      programs/tables/Inventory.cpp
      programs/tables/NameJoin.cpp
      programs/tables/PairJoin.cpp
      programs/tables/ParallelJoin.cpp
      programs/tables/PriceList.cpp
      programs/tables/SequenceIndex.cpp
      programs/tables/SortedKeys.cpp
      programs/tables/StockTaking.cpp
      programs/trees/Documents.cpp
      programs/trees/Forest.cpp
      programs/trees/NearestNeighbours.cpp
      programs/trees/OrderedIndex.cpp
      programs/trees/Rays.cpp
      programs/trees/SkipListSearches.cpp
      programs/trees/WordTrie.cpp)
    target_compile_definitions(${programs} PRIVATE HEDDLE_BENCH_FORM=${form})
    target_include_directories(${programs} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  endforeach()
  target_compile_options(heddle_bench_programs_plain_${level} PRIVATE
    -Wno-unknown-pragmas)
  heddle_target_async(heddle_bench_programs_directive_${level})
endfunction()

# The code that runs the loops, and versions written by hand.
function(heddle_bench_suites level)
  set(suites heddle_bench_suites_${level})
  heddle_bench_library(${suites} ${level}
    Level.cpp
    dynamic/EdgeSamples.cpp
    dynamic/Strategies.cpp
    far/FarData.cpp
    far/FarRun.cpp
    far/HandWritten.cpp
    far/SynchronousCache.cpp
    graph/Packing.cpp
    graph/Phases.cpp
    graph/Scheduling.cpp
    graph/Sums.cpp
    graph/TraditionalPull.cpp
    kernels/BPlusTree.cpp
    kernels/Bfs.cpp
    kernels/BinarySearch.cpp
    kernels/Gups.cpp
    kernels/HashJoin.cpp
    kernels/IntegerSort.cpp
    kernels/KernelSuite.cpp
    kernels/KroneckerGraph.cpp
    kernels/Lbm.cpp
    kernels/LinkedList.cpp
    kernels/Mcf.cpp
    kernels/Stream.cpp
    programs/ProgramSuite.cpp)
  # Code of a program, not of a library: what versions written by hand keep for
  # each thread is found without a call.
  set_target_properties(${suites} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${suites} PRIVATE -fPIE)
  target_compile_definitions(${suites} PRIVATE HEDDLE_BENCH_LEVEL="${level}")
  target_link_libraries(${suites} PRIVATE
    heddle_bench Heddle::far Heddle::graph Heddle::runtime PkgConfig::LIBURING)
endfunction()

# heddle_add_bench_program(<level>)
function(heddle_add_bench_program level)
  heddle_bench_loops(${level})
  heddle_bench_phases(${level})
  heddle_bench_stores(${level})
  heddle_bench_far(${level})
  heddle_bench_programs(${level})
  heddle_bench_suites(${level})
  set(program heddle_bench_program_${level})
  # An object library brings along its own objects only.
  add_executable(${program} $<TARGET_OBJECTS:heddle_bench_commands>)
  set(name bench)
  if(level MATCHES "^x86-64")
    set(name bench-${level})
  endif()
  set_target_properties(${program} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/heddle)
  target_link_libraries(${program} PRIVATE
    heddle_bench_suites_${level}
    heddle_bench_loops_serial_${level} heddle_bench_loops_heddle_${level}
    heddle_bench_programs_plain_${level} heddle_bench_programs_directive_${level}
    heddle_bench_phases_scalar_${level} heddle_bench_phases_vector_${level}
    heddle_bench_stores_plain_${level} heddle_bench_stores_prefetch_${level}
    heddle_bench_stores_interleaved_${level} heddle_bench_stores_full_${level}
    heddle_bench_far_heddle_${level} heddle_bench_far_waiting_${level}
    heddle_bench_far_mapped_${level} heddle_bench_far_cached_${level}
    heddle_bench_reading heddle_bench_ooc heddle_ooc_programs heddle_command_line
    Heddle::far Heddle::graph Heddle::ooc Heddle::runtime
    CLI11::CLI11 fmt::fmt OpenMP::OpenMP_CXX)
  if(TARGET heddle_bench_mlir)
    target_link_libraries(${program} PRIVATE
      heddle_bench_mlir heddle_bench_mlir_${level})
  endif()
  set_property(GLOBAL APPEND PROPERTY HEDDLE_BENCH_PROGRAMS ${program})
endfunction()
