# Makes a C++ file that holds the optimisation record of the annotated build.
#
#   cmake -DOBJECTS=a.o;b.o -DOUTPUT=record.cpp -P EmbedRecord.cmake
#
# The compiler leaves the record of each object beside it.

set(record "")
foreach(object IN LISTS OBJECTS)
  string(REGEX REPLACE "\\.o$" ".opt.yaml" file "${object}")
  if(EXISTS "${file}")
    file(READ "${file}" text)
    string(APPEND record "${text}")
  endif()
endforeach()

file(WRITE "${OUTPUT}" "#include <string_view>

std::string_view builtInRecord();

std::string_view builtInRecord() {
  return R\"~~~record(${record})~~~record\";
}
")
