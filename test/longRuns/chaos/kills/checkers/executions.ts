/**
 * The records of the commands: each command of an attempt began at most once, a SUCCEEDED run or step executed all of its commands, and a
 * FAILED one had to fail.
 */
import { type JobWork, jobOf, readJobWork } from '../jobWork.ts'
import type { Checker, Line, SeenActor, Violation } from '../seen.ts'

interface CommandCount {
  readonly mark: string
  BEGIN: number
  END: number
}

export const executedOnce: Checker = ({ lines, actors }) => {
  const counts = countCommands(lines)
  const works = readJobWork({ actors })
  const violations: Violation[] = []
  for (const [key, { BEGIN, END, mark }] of counts) {
    const ids = [jobOf(mark)]
    if (BEGIN > 1) violations.push({ what: `${key} began ${BEGIN} times`, ids })
    if (END > BEGIN) violations.push({ what: `${key} began ${BEGIN} times and ended ${END} times`, ids })
    if (!works.has(jobOf(mark)))
      violations.push({ what: `${key} ran for no run, no build and no attempt of a step`, ids })
  }
  for (const work of works.values()) {
    const job = actors.get(work.jobId)
    violations.push(...neededToFail(work, job), ...skippedCommands(work, job, counts))
  }
  return violations
}

function countCommands(lines: readonly Line[]): ReadonlyMap<string, CommandCount> {
  const counts = new Map<string, CommandCount>()
  for (const { what, mark, step } of lines) {
    const key = `${mark} ${step}`
    const count = counts.get(key) ?? { BEGIN: 0, END: 0, mark }
    count[what]++
    counts.set(key, count)
  }
  return counts
}

/** The status of a step is that of its last attempt. So the status of each attempt is that of its job. */
function neededToFail({ run, step, commands, jobId }: JobWork, job: SeenActor | undefined): Violation[] {
  const { id, status, context } = step === undefined ? run : (job ?? step)
  if (status !== 'FAILED' || commands.some(({ code }) => code !== 0)) return []
  const { code, message } = (context.problem ?? {}) as { code?: string; message?: string }
  return [{ what: `${id} FAILED although its commands do not fail: ${code} ${message}`, ids: [id, jobId] }]
}

function skippedCommands(
  { run, step, commands, jobId }: JobWork,
  job: SeenActor | undefined,
  counts: ReadonlyMap<string, CommandCount>,
): Violation[] {
  const owner = step ?? run
  const status = step === undefined ? run.status : job?.status
  if (status !== 'SUCCEEDED') return []
  return commands.flatMap(({ name }) => {
    const { BEGIN = 0, END = 0 } = counts.get(`${jobId}.${job?.context.attempt} ${name}`) ?? {}
    if (BEGIN === 1 && END === 1) return []
    const what = `${owner.id} SUCCEEDED, and its command ${name} began ${BEGIN} times and ended ${END} times`
    return [{ what, ids: [owner.id, jobId] }]
  })
}
