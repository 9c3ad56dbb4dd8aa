/*
 * A timer wheel: timers hang in the slot of their tick, and those of later turns
 * stay in it when it comes round. One thread drives the wheel; callbacks run on
 * it without the lock, so that they may arm and cancel other timers.
 *
 * A timer lies inside the object it is for. Before an object is freed its timer
 * is cancelled, and cancelling waits for a callback that is running.
 *
 * BUG: cancelling does not wait for the callback.
 *   The driver takes the timer off the wheel and unlocks; the owner cancels, finds the
 *   timer not armed and frees the session; the callback uses what was freed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define SLOTS 2
#define TICKS 3

/* ---- timers ---------------------------------------------------------------- */

struct timer;
typedef void (*timer_fn)(struct timer *timer, unsigned now);

enum timer_state { TIMER_IDLE, TIMER_ARMED, TIMER_RUNNING };

struct timer {
    timer_fn fire;
    enum timer_state state;
    unsigned expires; /* the tick it is armed for */
    struct timer *next;
    struct timer **link; /* what points to this timer while it is armed */
};

static void timer_init(struct timer *timer, timer_fn fire)
{
    timer->fire = fire;
    timer->state = TIMER_IDLE;
    timer->expires = 0;
    timer->next = NULL;
    timer->link = NULL;
}

/* ---- the wheel --------------------------------------------------------------- */

struct wheel {
    pthread_mutex_t lock;
    pthread_cond_t callback_done;
    struct timer *slots[SLOTS];
    unsigned now;
    unsigned armed;
};

static bool wheel_init(struct wheel *wheel)
{
    if (pthread_mutex_init(&wheel->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&wheel->callback_done, NULL) != 0) {
        pthread_mutex_destroy(&wheel->lock);
        return false;
    }
    for (int i = 0; i < SLOTS; i++)
        wheel->slots[i] = NULL;
    wheel->now = 0;
    wheel->armed = 0;
    return true;
}

static void wheel_destroy(struct wheel *wheel)
{
    pthread_cond_destroy(&wheel->callback_done);
    pthread_mutex_destroy(&wheel->lock);
}

/* The caller holds the lock, as for all functions with two underscores. */
static void link__(struct wheel *wheel, struct timer *timer, unsigned delay)
{
    unsigned expires = wheel->now + delay;
    struct timer **slot = &wheel->slots[expires % SLOTS];

    timer->expires = expires;
    timer->next = *slot;
    timer->link = slot;
    if (timer->next != NULL)
        timer->next->link = &timer->next;
    *slot = timer;
    timer->state = TIMER_ARMED;
    wheel->armed++;
}

static void unlink__(struct wheel *wheel, struct timer *timer)
{
    *timer->link = timer->next;
    if (timer->next != NULL)
        timer->next->link = timer->link;
    timer->next = NULL;
    timer->link = NULL;
    timer->state = TIMER_IDLE;
    wheel->armed--;
}

/* Let a timer fire after so many ticks, at least one. False if it is busy. */
static bool timer_arm(struct wheel *wheel, struct timer *timer, unsigned delay)
{
    bool idle;

    if (delay == 0)
        return false;
    pthread_mutex_lock(&wheel->lock);
    idle = timer->state == TIMER_IDLE;
    if (idle)
        link__(wheel, timer, delay);
    pthread_mutex_unlock(&wheel->lock);
    return idle;
}

/* Afterwards the callback does not run and will not. True if it never began.
 * Not to be called by the callback itself. */
static bool timer_cancel(struct wheel *wheel, struct timer *timer)
{
    bool cancelled = false;

    pthread_mutex_lock(&wheel->lock);
    if (timer->state == TIMER_ARMED) {
        unlink__(wheel, timer);
        cancelled = true;
    }
#ifndef BUG
    while (timer->state == TIMER_RUNNING)
        pthread_cond_wait(&wheel->callback_done, &wheel->lock);
#endif
    pthread_mutex_unlock(&wheel->lock);
    return cancelled;
}

/* Take one timer that is due out of the current slot. */
static struct timer *due__(struct wheel *wheel)
{
    struct timer *timer = wheel->slots[wheel->now % SLOTS];

    while (timer != NULL && timer->expires != wheel->now)
        timer = timer->next;
    if (timer != NULL) {
        unlink__(wheel, timer);
        timer->state = TIMER_RUNNING;
    }
    return timer;
}

/* One tick: fire what is due. */
static unsigned wheel_tick(struct wheel *wheel)
{
    struct timer *timer;
    unsigned fired = 0;
    unsigned now;

    pthread_mutex_lock(&wheel->lock);
    now = ++wheel->now;
    while ((timer = due__(wheel)) != NULL) {
        pthread_mutex_unlock(&wheel->lock);
        timer->fire(timer, now);
        pthread_mutex_lock(&wheel->lock);
        timer->state = TIMER_IDLE;
        pthread_cond_broadcast(&wheel->callback_done);
        fired++;
    }
    pthread_mutex_unlock(&wheel->lock);
    return fired;
}

/* ---- sessions with a time-out --------------------------------------------------- */

struct session {
    struct timer timer; /* first: the callback gets a pointer to it */
    unsigned deadline;
    bool expired; /* written by the callback, read after cancelling */
};

static void session_expire(struct timer *timer, unsigned now)
{
    struct session *session = (struct session *)timer;

    assert(now == session->deadline);
    assert(!session->expired);
    session->expired = true;
}

static struct session *session_open(struct wheel *wheel, unsigned timeout)
{
    struct session *session = malloc(sizeof *session);

    if (session == NULL)
        return NULL;
    timer_init(&session->timer, session_expire);
    session->deadline = timeout; /* sessions are opened before the first tick */
    session->expired = false;
    if (!timer_arm(wheel, &session->timer, timeout)) {
        free(session);
        return NULL;
    }
    return session;
}

/* True if the session was closed in time. */
static bool session_close(struct wheel *wheel, struct session *session)
{
    bool in_time = timer_cancel(wheel, &session->timer);

    assert(in_time != session->expired);
    free(session);
    return in_time;
}

/* ---- scenario: two sessions, one is closed while the wheel turns ------------------ */

static struct wheel wheel;

static void *driver_main(void *arg)
{
    unsigned *fired = arg;

    for (int tick = 0; tick < TICKS; tick++)
        *fired += wheel_tick(&wheel);
    return NULL;
}

int main(void)
{
    unsigned early = 1 + __VERIFIER_nondet_uint() % 2;
    unsigned late = TICKS + __VERIFIER_nondet_uint() % 2;
    struct session *quick, *slow;
    bool quick_in_time, slow_in_time;
    unsigned fired = 0;
    pthread_t driver;

    if (!wheel_init(&wheel))
        return EXIT_FAILURE;
    quick = session_open(&wheel, early);
    slow = session_open(&wheel, late);
    if (quick == NULL || slow == NULL) {
        fprintf(stderr, "timer_wheel: out of memory\n");
        exit(EXIT_FAILURE);
    }
    if (pthread_create(&driver, NULL, driver_main, &fired) != 0) {
        perror("timer_wheel: pthread_create");
        exit(EXIT_FAILURE);
    }
    quick_in_time = session_close(&wheel, quick);
    pthread_join(driver, NULL);
    slow_in_time = session_close(&wheel, slow);

    assert(wheel.now == TICKS);
    assert(wheel.armed == 0);
    assert(slow_in_time == (late > TICKS));
    assert(fired == (quick_in_time ? 0u : 1u) + (slow_in_time ? 0u : 1u));
    wheel_destroy(&wheel);
    return 0;
}
