/** Checks that the tests detect the faults. */
import type { Lookout, Mutant } from './mutant.ts'
import { misfit } from './mutant.ts'
import { type Trial, trial, twoAtATime } from './trial.ts'

export interface Verdict {
  readonly mutant: Mutant
  /** The test that detects it, or a text that the tests hung. */
  readonly caughtBy: string | undefined
  /** The reason why it could not be tried. The result is then unknown. */
  readonly problem: string | undefined
}

/** Runs each mutant's tests, first without any fault. Returns a verdict for each. */
export async function judge(
  mutants: readonly Mutant[],
  timeoutMs: number,
  heard: (verdict: Verdict) => void = () => {},
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  const say = (mutant: Mutant, caughtBy: string | undefined, problem?: string): void => {
    const verdict = { mutant, caughtBy, problem }
    verdicts.push(verdict)
    heard(verdict)
  }
  const ill = await unsound(mutants, timeoutMs)
  await twoAtATime(mutants, async (mutant) => {
    const problem = misfit(mutant) ?? mutant.tests.map((lookout) => ill.get(keyOf(lookout))).find(Boolean)
    if (problem !== undefined) return say(mutant, undefined, problem)
    for (const lookout of mutant.tests) {
      const found = await trial(lookout, mutant, timeoutMs)
      if (found.hung) return say(mutant, `${lookout.file} hangs`)
      const [first] = found.failed
      if (first !== undefined) return say(mutant, first)
      if (found.passed === 0) return say(mutant, undefined, `no test ran: ${found.output}`)
    }
    say(mutant, undefined)
  })
  return verdicts
}

/** Tests that fail, hang or do not exist without any fault. Their results for a mutant are meaningless. */
async function unsound(mutants: readonly Mutant[], timeoutMs: number): Promise<ReadonlyMap<string, string>> {
  const lookouts = new Map(mutants.flatMap(({ tests }) => tests).map((lookout) => [keyOf(lookout), lookout]))
  const problems = new Map<string, string>()
  await twoAtATime([...lookouts], async ([key, lookout]) => {
    const found = await trial(lookout, undefined, timeoutMs)
    const problem = problemOf(found)
    if (problem !== undefined) problems.set(key, `${key} ${problem} without any fault: ${found.output}`)
  })
  return problems
}

function problemOf({ passed, failed, hung }: Trial): string | undefined {
  if (hung) return 'hangs'
  if (failed.length > 0) return `fails (${failed[0]})`
  return passed === 0 ? 'has no such test' : undefined
}

const keyOf = ({ file, only = '' }: Lookout): string => `${file} ${only}`.trim()
