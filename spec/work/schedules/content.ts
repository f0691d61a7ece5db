/** The parts of a schedule that people write. */
import * as v from 'valibot'
import { idOf, int, text } from '../../core/types.ts'
import { instant } from '../../telemetry/instant.ts'
import { argumentsByName } from '../arguments.ts'
import { cronNicknames, cronProblem } from './cron.ts'
import { isTimeZone } from './zoneOffsets.ts'

export const jitterMaxSeconds = 3_600
const dayS = 86_400
export const catchUpMinSeconds = 10
export const catchUpMaxSeconds = 365 * dayS
/** A start occupies a machine, so an outage of weeks does not start hundreds of runs. */
export const catchUpDefaultSeconds = dayS

export const cronExpression = v.pipe(
  text({ min: 1, max: 200 }),
  v.check(
    (expression) => cronProblem(expression) === undefined,
    ({ input }) => cronProblem(input) ?? 'must be a cron expression',
  ),
  v.description(
    `Minute, hour, day of month, month and day of week, as in cron: \`30 9 * * MON-FRI\`. Or one of ${cronNicknames.map((name) => `\`${name}\``).join(', ')}.`,
  ),
)

const timeZone = v.pipe(
  text({ min: 1, max: 64 }),
  v.check(isTimeZone, 'must be the name of an IANA time zone, such as "Europe/Berlin" or "UTC". Offsets are no names'),
  v.description(
    'The IANA time zone of the expression: `Europe/Berlin`. A wall time that clocks skip does not fire, and one that they repeat fires twice.',
  ),
)

export const scheduleFields = {
  name: v.pipe(text({ min: 1, max: 100 }), v.description('The name.')),
  worktreeId: v.pipe(idOf('worktree'), v.description('The worktree on which the workflow is started.')),
  cron: cronExpression,
  timeZone,
  jitterSeconds: v.pipe(
    v.nullish(v.pipe(int, v.minValue(0), v.maxValue(jitterMaxSeconds))),
    v.description(
      'Each firing is delayed by up to this number of seconds, and never beyond the next time. The delay follows from the schedule and the time. Default: 0.',
    ),
  ),
  catchUpWindowSeconds: v.pipe(
    v.nullish(v.pipe(int, v.minValue(catchUpMinSeconds), v.maxValue(catchUpMaxSeconds))),
    v.description(
      'The number of seconds for which a time that passed during an outage can still fire. Later it is counted as missed. Default: one day.',
    ),
  ),
  startAt: v.pipe(v.nullish(instant), v.description('No time before this fires. Default: no bound.')),
  endAt: v.pipe(v.nullish(instant), v.description('No time after this fires. Default: no bound.')),
  inputs: v.pipe(
    v.nullish(argumentsByName),
    v.description('The values by the names of the workflow’s inputs, given to each start. Default: none.'),
  ),
}

export type ScheduleInput = v.InferOutput<ReturnType<typeof v.object<typeof scheduleFields, undefined>>>
