# What a run of the chaos carries out: `sh work.sh <record> "<seconds> <lines> <exit code> <step>"`. It writes down when it began
# and ended, under the name of the attempt that it belongs to, and says its lines in between.
record=$1
# The prompt of a follow-up begins with the former turns.
set -- $(printf '%s' "$2" | tail -n 1)
seconds=$1 lines=$2 code=$3 step=$4
note() {
  echo "$1 $SIGNALBOX_JOB $step $(date +%s%3N)" >>"$record"
}
# A signal to the group ends `date` too: before the beginning is written the work ends with it, and the end is written without heed.
note BEGIN
trap 'trap "" TERM; note END; exit 143' TERM
line=0
while [ $line -lt "$lines" ]; do
  line=$((line + 1))
  echo "$step: line $line of $lines"
  sleep "$seconds"
done
trap '' TERM
note END
exit "$code"
