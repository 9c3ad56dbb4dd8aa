/* The functions behind the macros of <stdatomic.h>: one call for each order, because an order is a constant. */
void __model_atomic_thread_fence(int order) {
    switch (order) {
    case 0: break;
    case 1:
    case 2: __atomic_thread_fence(2); break;
    case 3: __atomic_thread_fence(3); break;
    case 4: __atomic_thread_fence(4); break;
    default: __atomic_thread_fence(5);
    }
}
void __model_atomic_signal_fence(int order) { (void)order; }
_Bool __model_atomic_flag_test_and_set_explicit(volatile void *flag, int order) {
    switch (order) {
    case 0: return __atomic_test_and_set(flag, 0);
    case 1:
    case 2: return __atomic_test_and_set(flag, 2);
    case 3: return __atomic_test_and_set(flag, 3);
    case 4: return __atomic_test_and_set(flag, 4);
    default: return __atomic_test_and_set(flag, 5);
    }
}
void __model_atomic_flag_clear_explicit(volatile _Bool *flag, int order) {
    switch (order) {
    case 0: __atomic_clear(flag, 0); break;
    case 3: __atomic_clear(flag, 3); break;
    default: __atomic_clear(flag, 5);
    }
}
_Bool __model_atomic_flag_test_and_set(volatile void *flag) { return __atomic_test_and_set(flag, 5); }
void __model_atomic_flag_clear(volatile _Bool *flag) { __atomic_clear(flag, 5); }
