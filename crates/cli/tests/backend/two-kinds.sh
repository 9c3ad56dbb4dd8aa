#!/bin/sh
# Answers like CBMC 6.6 for a program in which a misused lock stands before every assertion: as long as the program checks locks,
# nothing behind that check can fail. With ANSWER=once it finds nothing when locks are not checked any more.

for file; do :; done
kind=assertion
grep -q '"lock-misuse: a mutex is unlocked' "$file" && kind=lock-misuse
if [ "$kind" = assertion ] && [ "$ANSWER" = once ]; then
    echo '[{"program": "CBMC 6.6.0 (cbmc-6.6.0)"}, {"cProverStatus": "success"}]'
    exit 0
fi
end=$(sed -n 's/.*__raddle_leave <= \([0-9]*\));.*/\1/p' "$file" | head -n 1)
binary=
for bit in 128 64 32 16 8 4 2 1; do
    if [ "$end" -ge "$bit" ]; then binary="${binary}1"; end=$((end - bit)); else binary="${binary}0"; fi
done
cat <<EOF
[{"program": "CBMC 6.6.0 (cbmc-6.6.0)"}, {"result": [
{"description": "assertion: something else", "property": "main.assertion.2", "status": "SUCCESS", "sourceLocation": {"file": "$file", "line": "1"}},
{"description": "$kind: it fails", "property": "main.assertion.1", "status": "FAILURE", "sourceLocation": {"file": "$file", "line": "1"},
"trace": [
{"stepType": "assignment", "hidden": false, "lhs": "__raddle_current", "value": {"name": "integer", "width": 8, "binary": "00000000"}},
{"stepType": "assignment", "hidden": false, "lhs": "__raddle_leave", "value": {"name": "integer", "width": 8, "binary": "$binary"}},
{"stepType": "failure", "property": "main.assertion.1"}]}]}, {"cProverStatus": "failure"}]
EOF
exit 10
