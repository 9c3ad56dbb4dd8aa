/*
 * Actors: threads with a mailbox each, that do nothing but answer messages.
 *
 * A mailbox is a queue under a lock, with a condition for its owner. Closing it
 * refuses further messages; the owner answers what is there already and leaves.
 * A message that is refused goes back to the sender, who counts it as a dead
 * letter. Nothing waits for room, so actors may write to each other freely.
 *
 * BUG: closing does not take the lock of the mailbox, only sets the atomic flag.
 *   The owner finds no message and the flag not set; the closer sets it and signals, and
 *   nobody waits yet; then the owner waits, and nobody will signal again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define NUMBERS 2

/* ---- messages ------------------------------------------------------------------ */

struct actor;

enum message_kind { MESSAGE_NUMBER, MESSAGE_RECEIPT };

struct message {
    enum message_kind kind;
    unsigned number;
    struct actor *sender; /* NULL: nobody wants a receipt */
    struct message *next;
};

static void die(const char *what)
{
    fprintf(stderr, "actor_mailbox: %s\n", what);
    exit(EXIT_FAILURE);
}

static struct message *message_new(enum message_kind kind, unsigned number, struct actor *sender)
{
    struct message *message = malloc(sizeof *message);

    if (message == NULL)
        die("out of memory");
    message->kind = kind;
    message->number = number;
    message->sender = sender;
    message->next = NULL;
    return message;
}

/* ---- mailboxes ------------------------------------------------------------------ */

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t arrival;
    struct message *first;
    struct message *last;
    atomic_bool closed; /* atomic, so that senders can look without the lock */
};

static bool mailbox_init(struct mailbox *mailbox)
{
    if (pthread_mutex_init(&mailbox->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&mailbox->arrival, NULL) != 0) {
        pthread_mutex_destroy(&mailbox->lock);
        return false;
    }
    mailbox->first = NULL;
    mailbox->last = NULL;
    atomic_init(&mailbox->closed, false);
    return true;
}

static void mailbox_destroy(struct mailbox *mailbox)
{
    assert(mailbox->first == NULL);
    pthread_cond_destroy(&mailbox->arrival);
    pthread_mutex_destroy(&mailbox->lock);
}

/* False if the mailbox is closed; then the message is still the caller's. */
static bool mailbox_post(struct mailbox *mailbox, struct message *message)
{
    if (atomic_load(&mailbox->closed))
        return false; /* no need to disturb the owner */
    pthread_mutex_lock(&mailbox->lock);
    if (atomic_load(&mailbox->closed)) {
        pthread_mutex_unlock(&mailbox->lock);
        return false;
    }
    message->next = NULL;
    if (mailbox->last != NULL)
        mailbox->last->next = message;
    else
        mailbox->first = message;
    mailbox->last = message;
    pthread_cond_signal(&mailbox->arrival);
    pthread_mutex_unlock(&mailbox->lock);
    return true;
}

/* Owner only: the next message; NULL when the mailbox is closed and empty. */
static struct message *mailbox_receive(struct mailbox *mailbox)
{
    struct message *message;

    pthread_mutex_lock(&mailbox->lock);
    while (mailbox->first == NULL && !atomic_load(&mailbox->closed))
        pthread_cond_wait(&mailbox->arrival, &mailbox->lock);
    message = mailbox->first;
    if (message != NULL) {
        mailbox->first = message->next;
        if (mailbox->first == NULL)
            mailbox->last = NULL;
        message->next = NULL;
    }
    pthread_mutex_unlock(&mailbox->lock);
    return message;
}

static void mailbox_close(struct mailbox *mailbox)
{
#ifdef BUG
    atomic_store(&mailbox->closed, true);
    pthread_cond_signal(&mailbox->arrival);
#else
    pthread_mutex_lock(&mailbox->lock);
    atomic_store(&mailbox->closed, true);
    pthread_cond_signal(&mailbox->arrival);
    pthread_mutex_unlock(&mailbox->lock);
#endif
}

/* ---- actors ----------------------------------------------------------------------- */

typedef void (*behaviour_fn)(struct actor *self, const struct message *message);

struct actor {
    const char *name;
    behaviour_fn behave;
    struct actor *peer;
    struct mailbox mailbox;
    pthread_t thread;
    /* What follows is the actor's own, and others' after it has stopped. */
    unsigned handled;
    unsigned dead_letters;
    unsigned sum;
};

static void actor_send(struct actor *self, struct actor *to, struct message *message)
{
    if (mailbox_post(&to->mailbox, message))
        return;
    free(message);
    self->dead_letters++;
}

static void *actor_main(void *arg)
{
    struct actor *self = arg;
    struct message *message;

    while ((message = mailbox_receive(&self->mailbox)) != NULL) {
        self->handled++;
        self->behave(self, message);
        free(message);
    }
    return NULL;
}

static void actor_start(struct actor *actor, const char *name, behaviour_fn behave,
                        struct actor *peer)
{
    actor->name = name;
    actor->behave = behave;
    actor->peer = peer;
    actor->handled = 0;
    actor->dead_letters = 0;
    actor->sum = 0;
    if (!mailbox_init(&actor->mailbox))
        die("cannot make a mailbox");
    if (pthread_create(&actor->thread, NULL, actor_main, actor) != 0)
        die("cannot start an actor");
}

/* Lets the actor answer what it has, and waits until it has left. Its mailbox
 * stays, closed, for those who still write to it. */
static void actor_stop(struct actor *actor)
{
    mailbox_close(&actor->mailbox);
    if (pthread_join(actor->thread, NULL) != 0)
        die("cannot join an actor");
}

static void actor_destroy(struct actor *actor)
{
    mailbox_destroy(&actor->mailbox);
}

/* ---- behaviours ------------------------------------------------------------------- */

/* Sends twice the number on, and adds up the receipts. */
static void doubler_behave(struct actor *self, const struct message *message)
{
    switch (message->kind) {
    case MESSAGE_NUMBER:
        actor_send(self, self->peer, message_new(MESSAGE_NUMBER, 2 * message->number, self));
        break;
    case MESSAGE_RECEIPT:
        self->sum += message->number;
        break;
    }
}

/* Adds numbers up, and confirms each. */
static void adder_behave(struct actor *self, const struct message *message)
{
    assert(message->kind == MESSAGE_NUMBER);
    self->sum += message->number;
    if (message->sender != NULL)
        actor_send(self, message->sender, message_new(MESSAGE_RECEIPT, 1, NULL));
}

/* ---- scenario: numbers go through two actors, which are stopped in turn -------------- */

int main(void)
{
    static struct actor doubler, adder;
    unsigned expected = 0;

    actor_start(&adder, "adder", adder_behave, NULL);
    actor_start(&doubler, "doubler", doubler_behave, &adder);

    for (unsigned i = 0; i < NUMBERS; i++) {
        unsigned number = __VERIFIER_nondet_uint() % 100;
        struct message *message = message_new(MESSAGE_NUMBER, number, NULL);

        expected += 2 * number;
        if (!mailbox_post(&doubler.mailbox, message))
            die("the doubler is closed already");
    }
    actor_stop(&doubler);
    actor_stop(&adder);

    assert(adder.handled == NUMBERS);
    assert(adder.sum == expected);
    assert(doubler.dead_letters == 0);
    /* Every receipt has arrived or was refused. */
    assert(doubler.sum + adder.dead_letters == NUMBERS);
    assert(doubler.handled == NUMBERS + doubler.sum);
    actor_destroy(&doubler);
    actor_destroy(&adder);
    return 0;
}
