// A shared object that is no part of VAPOR.
extern "C" int nothing() { return 0; }
