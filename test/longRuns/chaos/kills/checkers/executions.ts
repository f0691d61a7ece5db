/**
 * The records of the commands: each workflow step of an attempt began at most once, a SUCCEEDED run executed all steps, and a
 * FAILED run had to fail.
 */
import { siblingId } from '../../../../../spec/core/ids.ts'
import type { Checker, Line, SeenActor, Violation } from '../seen.ts'

export const executedOnce: Checker = ({ lines, actors }) => {
  const counts = new Map<string, { BEGIN: number; END: number; mark: string }>()
  for (const { what, mark, step } of lines) {
    const key = `${mark} ${step}`
    const count = counts.get(key) ?? { BEGIN: 0, END: 0, mark }
    count[what]++
    counts.set(key, count)
  }
  const violations: Violation[] = []
  for (const [key, { BEGIN, END, mark }] of counts) {
    const ids = [jobOf(mark)]
    if (BEGIN > 1) violations.push({ what: `${key} began ${BEGIN} times`, ids })
    if (END > BEGIN) violations.push({ what: `${key} began ${BEGIN} times and ended ${END} times`, ids })
  }
  for (const run of actors.values()) {
    if (run.kind === 'run' && run.status === 'FAILED' && stepsOf(run).every(({ code }) => code === 0)) {
      const { code, message } = (run.context.problem ?? {}) as { code?: string; message?: string }
      violations.push({ what: `${run.id} FAILED though its commands do not fail: ${code} ${message}`, ids: [run.id] })
    }
    if (run.kind !== 'run' || run.status !== 'SUCCEEDED') continue
    const job = actors.get(siblingId('job', run.id))
    for (const step of stepsOf(run)) {
      const count = counts.get(`${job?.id}.${job?.context.attempt} ${step.name}`)
      if (count?.BEGIN === 1 && count.END === 1) continue
      violations.push({
        what: `${run.id} SUCCEEDED, and its step ${step.name} began ${count?.BEGIN ?? 0} times and ended ${count?.END ?? 0} times`,
        ids: [run.id, job?.id ?? ''],
      })
    }
  }
  return violations
}

export const jobOf = (mark: Line['mark']): string => mark.slice(0, mark.lastIndexOf('.'))

/** The parameters of the work: seconds, lines, exit code and name of each workflow step. */
export function stepsOf(
  run: SeenActor,
): readonly { readonly name: string; readonly lines: number; readonly code: number }[] {
  const { steps, prompt } = run.init.spec as { steps?: readonly { command: string }[]; prompt?: string }
  const words =
    steps === undefined ? [prompt ?? ''] : steps.map(({ command }) => / '([^']*)'$/.exec(command)?.[1] ?? '')
  return words.map((text) => {
    const [, lines, code, name = ''] = text.split(' ')
    return { name, lines: Number(lines), code: Number(code) }
  })
}
