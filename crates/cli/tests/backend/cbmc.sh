#!/bin/sh
# Answers like CBMC 6.6 for one program: threads.c of the test `backend`, in which `main` is left before it reads `x`, the thread
# runs to its end, and `main` goes on. Numbers of labels and lines are looked up in the program that it is given.
#
# With ANSWER=success it finds nothing; with ANSWER=lie it claims that the thread never ran.

for file; do :; done
[ -r "$file" ] || { echo "cannot read $file" >&2; exit 6; }

if [ "$ANSWER" = success ]; then
    echo '[{"program": "CBMC 6.6.0 (cbmc-6.6.0)"}, {"messageText": "VERIFICATION SUCCESSFUL", "messageType": "STATUS-MESSAGE"},'
    echo '{"result": []}, {"cProverStatus": "success"}]'
    exit 0
fi
if [ "$ANSWER" = garbage ]; then
    echo '[{"program": "CBMC 6.6.0 (cbmc-6.6.0)"}, {"result": [{"status": "MAYBE"}]}, {"cProverStatus": "failure"}]'
    exit 10
fi
if [ "$ANSWER" = error ]; then
    echo '[{"program": "CBMC 6.6.0 (cbmc-6.6.0)"}, {"messageText": "out of patience", "messageType": "ERROR"}]'
    exit 6
fi

awk -v file="$file" -v answer="$ANSWER" '
function location(line) {
    return "\"sourceLocation\": {\"file\": \"" file "\", \"line\": \"" line "\", \"workingDirectory\": \".\"}"
}
function binary(number, width,    digits) {
    digits = ""
    while (width-- > 0) { digits = (number % 2) digits; number = int(number / 2) }
    return digits
}
function assign(name, number, width, hidden) {
    printf "{\"stepType\": \"assignment\", \"assignmentType\": \"variable\", \"hidden\": %s, \"internal\": false, \"mode\": \"C\", ", hidden
    printf "\"lhs\": \"%s\", \"thread\": 0, %s, \"value\": {\"name\": \"integer\", \"type\": \"unsigned int\", ", name, location(1)
    printf "\"data\": \"%du\", \"width\": %d, \"binary\": \"%s\"}},\n", number, width, binary(number, width)
}
function call(name, line) {
    printf "{\"stepType\": \"function-call\", \"hidden\": false, \"internal\": false, \"thread\": 0, %s, ", location(line)
    printf "\"function\": {\"displayName\": \"%s\", \"identifier\": \"%s\", %s}},\n", name, name, location(1)
}
function turn(thread, label) {
    assign("__raddle_current", thread, 32, "false")
    call("__raddle_any_uchar", 1)
    assign("__raddle_value", label, 8, "false")
    assign("__raddle_leave", label, 8, "false")
}
/^ *__raddle_point_[0-9]+:/ { label = $1; gsub(/[^0-9]/, "", label) }
/= x;/ { before_read = label }
/= __raddle_any_int\(\);/ { input = NR }
/"assertion: seen == 0"/ { failure = NR }
/__raddle_current = [0-9]+;/ { current = $3 + 0 }
/__CPROVER_assume\(.*__raddle_leave <= [0-9]+\);/ { last = $0; sub(/.*<= /, "", last); end[current] = last + 0 }
END {
    print "[{\"program\": \"CBMC 6.6.0 (cbmc-6.6.0)\"},"
    print "{\"messageText\": \"Starting Bounded Model Checking\", \"messageType\": \"STATUS-MESSAGE\"},"
    print "{\"result\": ["
    printf "{\"description\": \"unsupported: something else\", \"property\": \"main.assertion.1\", \"status\": \"SUCCESS\", %s},\n", location(1)
    printf "{\"description\": \"assertion: seen == 0\", \"property\": \"main__thread_0.assertion.1\", \"status\": \"FAILURE\", %s,\n", location(failure)
    print "\"trace\": ["
    call("__CPROVER_initialize", 1)
    assign("__raddle_leave", 0, 8, "true")
    assign("__raddle_active[0l]", 1, 8, "false")
    assign("__raddle_round", 1, 32, "false")
    turn(0, before_read)
    assign("__raddle_active[1l]", 1, 8, "false")
    call("__raddle_any_int", input)
    assign("__raddle_value", 41, 32, "false")
    if (answer != "lie") turn(1, end[1])
    assign("__raddle_round", 2, 32, "false")
    turn(0, end[0])
    printf "{\"stepType\": \"location-only\", \"hidden\": false, \"thread\": 0, %s},\n", location(failure)
    printf "{\"stepType\": \"failure\", \"hidden\": false, \"internal\": false, \"thread\": 0, \"reason\": \"assertion: seen == 0\", "
    printf "\"property\": \"main__thread_0.assertion.1\", %s}\n]}]},\n", location(failure)
    print "{\"messageText\": \"VERIFICATION FAILED\", \"messageType\": \"STATUS-MESSAGE\"},"
    print "{\"cProverStatus\": \"failure\"}]"
}' "$file"
exit 10
