// RUN: %clangxx -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

int function(int); // expected-note {{'function' declared here}}
int overloaded(int);
int overloaded(long);
enum Enumeration { enumerator }; // expected-note {{'enumerator' declared here}}
struct Type {                    // expected-note {{declared here}}
  int bits : 3;                  // expected-note 2{{'bits' declared here}}
  int member;
  int method(); // expected-note {{'method' declared here}}
  void inside(int n);
};
typedef int *Pointer;

#define LOOP for (int i = 0; i < n; ++i)

void kinds(int n, int *p, Type object) {
#pragma heddle async private(missing) // expected-error {{use of undeclared identifier 'missing'}}
  LOOP;
  int counter; // expected-note {{'counter' declared here}}
#pragma heddle async private(countr) // expected-error {{use of undeclared identifier 'countr'; did you mean 'counter'?}}
  LOOP;
#pragma heddle async private(i) // expected-error {{use of undeclared identifier 'i'}}
  LOOP;
#pragma heddle async private(function) // expected-error {{'function' in 'private' clause is not a variable}}
  LOOP;
#pragma heddle async shared(overloaded) // expected-error {{'overloaded' in 'shared' clause is not a variable}}
  LOOP;
#pragma heddle async sequential(enumerator) // expected-error {{'enumerator' in 'sequential' clause is not a variable}}
  LOOP;
#pragma heddle async private(Type) // expected-error {{'Type' does not refer to a value}}
  LOOP;
#pragma heddle async private(object.method) // expected-error {{'method' in 'private' clause is not a variable}}
  LOOP;
#pragma heddle async private(object.nothing) // expected-error {{no member named 'nothing' in 'Type'}}
  LOOP;
#pragma heddle async private(p[2], n + 1, *p, &n, -n, 3, "n", function(n)) // expected-error 8{{expected the name of a variable in 'private' clause}}
  LOOP;
#pragma heddle async private(p->member) // expected-error {{member reference base type 'int' is not a structure or union}}
  LOOP;
#pragma heddle async private(object.bits) // expected-error {{bit-field 'bits' cannot be named in a clause}}
  LOOP;
  auto [bits, member] = object; // expected-note {{'bits' declared here}}
#pragma heddle async private(bits, member) // expected-error {{bit-field 'bits' cannot be named in a clause}}
  LOOP;
#pragma heddle async private((n), (p), object.member)
  LOOP;
#pragma heddle async private(this) // expected-error {{invalid use of 'this' outside of a non-static member function}}
  LOOP;
}

void Type::inside(int n) {
#pragma heddle async private(this, this->member) // expected-error {{expected the name of a variable in 'private' clause}}
  LOOP;
#pragma heddle async private(bits) // expected-error {{bit-field 'bits' cannot be named in a clause}}
  LOOP;
}

void pointers(int n, Type object, Pointer p, int (&array)[4], int *&reference) {
#pragma heddle async remote(n) // expected-error {{'n' in 'remote' clause must be a pointer or an array, not 'int'}}
  LOOP;
#pragma heddle async near(object, object.member) // expected-error {{'object' in 'near' clause must be a pointer or an array, not 'Type'}} expected-error {{'object.member' in 'near' clause must be a pointer or an array, not 'int'}}
  LOOP;
#pragma heddle async remote(p, array) near(reference)
  LOOP;
}

void conflicts(int n, int *p, Type object, Type *pointer) {
#pragma heddle async private(n) shared(n) // expected-error {{'n' cannot be both 'private' and 'shared'}} expected-note {{named in 'private' clause here}}
  LOOP;
#pragma heddle async sequential(object.member) private(object.member) // expected-error {{'object.member' cannot be both 'sequential' and 'private'}} expected-note {{named in 'sequential' clause here}}
  LOOP;
#pragma heddle async near(p) remote(p) // expected-error {{'p' cannot be both 'near' and 'remote'}} expected-note {{named in 'near' clause here}}
  LOOP;
#pragma heddle async private(p) remote(p) shared(object.member, pointer) private(pointer->member)
  LOOP;
}

void captures(int n) {
  int other;              // expected-note {{'other' declared here}}
  const int constant = 3; // expected-note {{'constant' declared here}}
  auto body = [n] { // expected-note 2{{lambda expression begins here}} expected-note 4{{capture}}
#pragma heddle async private(n)
    for (int i = 0; i < n; ++i)
      ;
#pragma heddle async private(other) // expected-error {{variable 'other' cannot be implicitly captured in a lambda with no capture-default specified}}
    for (int i = 0; i < 3; ++i)
      ;
#pragma heddle async private(constant) // expected-error {{variable 'constant' cannot be implicitly captured in a lambda with no capture-default specified}}
    for (int i = 0; i < 3; ++i)
      ;
  };
}
