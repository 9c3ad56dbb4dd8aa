#!/bin/sh
# Stands in for a checker: does what the task file says in a comment `# checker: …`.
for task; do :; done
# With `--record FILE` it notes how it was called.
previous=
for word; do
    [ "$previous" = --record ] && echo "$@" >>"$word"
    previous=$word
done
case $(sed -n 's/^# checker: //p' "$task") in
true) echo "assertion: SAFE"; echo "VERDICT: TRUE"; exit 0 ;;
false) echo "assertion: BUG at a.c:3"; echo "VERDICT: FALSE"; exit 10 ;;
unknown) echo "assertion: UNKNOWN: inline assembly at a.c:7"; echo "VERDICT: UNKNOWN"; exit 20 ;;
bounded) echo "assertion: SAFE up to 3 iterations"; echo "VERDICT: UNKNOWN"; exit 30 ;;
late) echo "assertion: UNKNOWN: out of time"; echo "VERDICT: UNKNOWN"; exit 20 ;;
slow) sleep 0.4; echo "VERDICT: TRUE"; exit 0 ;;
hang) sleep 100; echo "VERDICT: TRUE"; exit 0 ;;
hog) { head -c 300000000 /dev/zero; sleep 100; } | tail; echo "VERDICT: TRUE"; exit 0 ;;
refuse) echo "error: expected an expression" >&2; exit 1 ;;
mistake) echo "internal error: the trace does not replay" >&2; exit 2 ;;
crash) kill -SEGV $$ ;;
contradict) echo "VERDICT: TRUE"; exit 10 ;;
alternate) # FALSE only in every second call
    if [ -e "$task.called" ]; then rm "$task.called"; echo "VERDICT: FALSE"; exit 10; fi
    : >"$task.called"; echo "VERDICT: TRUE"; exit 0 ;;
*) echo "no such behaviour in $task" >&2; exit 2 ;;
esac
