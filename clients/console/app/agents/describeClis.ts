/** The coding CLIs of a machine in words. */
import { format, messages } from '../messages.ts'

const texts = messages.machines

export interface Cli {
  readonly name: string
  readonly healthy: boolean
  readonly problem: string | null
  readonly signIn: string
}

/** Returns the problem of a CLI. Undefined if it has none. */
export function getCliProblem({ healthy, problem, signIn }: Cli): string | undefined {
  if (problem) return problem
  if (!healthy) return texts.cli.unavailable
  return signIn === 'SIGNED_OUT' ? texts.cli.signedOut : undefined
}

/** `1 of 2 available (gemini unavailable)`. The page of the machine has the whole problem. */
export function describeClis(clis: readonly Cli[]): string {
  if (clis.length === 0) return texts.noCli
  const problems = clis.flatMap((cli) => {
    if (getCliProblem(cli) === undefined) return []
    const problem = cli.healthy ? texts.cli.signedOut : texts.cli.unavailable
    return [format(texts.cliProblem, { name: cli.name, problem })]
  })
  const available = clis.filter(({ healthy }) => healthy).length
  return problems.length === 0
    ? format(texts.clisAvailable, { available, count: clis.length })
    : format(texts.cliProblems, { available, count: clis.length, problems: problems.join(', ') })
}
