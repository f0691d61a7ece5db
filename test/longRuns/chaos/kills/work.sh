# What a run of the chaos executes: `sh work.sh <record> "<seconds> <lines> <exit code> <step>"`. It records when it began and ended, with
# the attempt that it belongs to and the values in GIVEN, and writes its lines in between. A step of a workflow also writes the output
# `token`, which names the attempt. The exit code `sometimes` depends on the ID of the job, as in jobWork.ts.
record=$1
# The prompt of a follow-up begins with the former turns.
set -- $(printf '%s' "$2" | tail -n 1)
seconds=$1 lines=$2 code=$3 step=$4
if [ "$code" = sometimes ]; then
  case ${SIGNALBOX_JOB%.*} in
  *[0-9a-f]) code=3 ;;
  *) code=0 ;;
  esac
fi
note() {
  echo "$1 $SIGNALBOX_JOB $step $(date +%s%3N) $GIVEN" >>"$record"
}
# A signal to the group ends `date` too: before the beginning is written the work ends with it, and the end is written without heed.
note BEGIN
trap 'trap "" TERM; note END; exit 143' TERM
[ -z "$SIGNALBOX_OUTPUT" ] || echo "token=$SIGNALBOX_JOB/$step" >>"$SIGNALBOX_OUTPUT"
line=0
while [ $line -lt "$lines" ]; do
  line=$((line + 1))
  echo "$step: line $line of $lines"
  sleep "$seconds"
done
trap '' TERM
note END
exit "$code"
