/* Jumps out of calls. The lowering makes what `setjmp` does in the function that calls it: each such function has an object, its
   frame, that lives as long as the activation. A jump names the frame; each call that may end by a jump looks here afterwards, and
   returns at once where the frame is not its own function's. */

enum { JUMP_SET = 0x4a554d50 };

struct __jump_buffer {
    int mark;
    unsigned thread;
    void *frame;
    int place;
    unsigned char saves_mask, cleanups;
    unsigned long mask[8 / sizeof(long)];
};

_Thread_local void *__jump_frame; /* not null while a jump is under way */
_Thread_local int __jump_place, __jump_value;

static void __jump_save_mask(struct __jump_buffer *buffer) {
    if (!buffer->saves_mask)
        return;
    buffer->mask[0] = (unsigned long)__signal_blocked;
    if (sizeof(long) == 4)
        buffer->mask[8 / sizeof(long) - 1] = (unsigned long)(__signal_blocked >> 16 >> 16);
}
static void __jump_restore_mask(struct __jump_buffer *buffer) {
    if (buffer->saves_mask) {
        __signal_blocked = __signal_read(buffer->mask);
        __signal_open();
    }
}

void __model___jump_set(struct __jump_buffer *buffer, void *frame, int place, int saves_mask) {
    buffer->mark = JUMP_SET;
    buffer->thread = __raddle_self();
    buffer->frame = frame;
    buffer->place = place;
    buffer->cleanups = (unsigned char)__cleanup_depth;
    buffer->saves_mask = saves_mask != 0;
    if (__raddle_program_uses("sigsetjmp") || __raddle_program_uses("__sigsetjmp"))
        __jump_save_mask(buffer);
}

__attribute__((raddle_reads(hidden)))
void __model_longjmp(struct __jump_buffer *buffer, int value) {
    __raddle_check_memory(__raddle_peek(&buffer->mark, 0) == JUMP_SET, "a jump goes to a buffer that was never set");
    __raddle_check_memory(buffer->thread == __raddle_self(), "a jump goes to a buffer that another thread has set");
    __raddle_check_memory(__raddle_object_size(buffer->frame) != 0, "a jump goes into a function that has returned");
    __raddle_check_memory(buffer->cleanups == __cleanup_depth, "a jump leaves or enters a part with other cleanup handlers");
    if (__raddle_program_uses("sigsetjmp") || __raddle_program_uses("__sigsetjmp"))
        __jump_restore_mask(buffer);
    __jump_place = buffer->place;
    __jump_value = value ? value : 1;
    __jump_frame = buffer->frame;
}
