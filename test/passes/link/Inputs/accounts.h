struct Accounts {
  long releases;
  void *lastReleased;
};

extern Accounts accounts;
