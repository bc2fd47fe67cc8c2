// Methods for one problem of all classes with the softmax loss.
#include "linear/joint_fista.cpp"
#include "linear/joint_net.cpp"
