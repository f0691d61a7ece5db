/** One fault for each promise of the demo, planted into what was seen: the demo must notice every one of them, by name. */
import { promises, type Seen, type SeenRun } from './promises.ts'

type Fault = (seen: Seen) => Seen

const changeRun =
  (which: (run: SeenRun) => boolean, change: (run: SeenRun, seen: Seen) => Partial<SeenRun>): Fault =>
  (seen) => ({
    ...seen,
    runs: seen.runs.map((run) => (run === seen.runs.find(which) ? { ...run, ...change(run, seen) } : run)),
  })

const isLimited = ({ limit }: SeenRun) => limit === 1
const firstBegan = ({ executions }: SeenRun) => executions[0]?.began ?? 0

/** By the name of the promise that it breaks. */
export const faults: Readonly<Record<string, Fault>> = {
  'the program starts with its own database within 10 s': (seen) => ({ ...seen, readyAfter: 10_001 }),
  'an agent enrolls and connects': (seen) => ({ ...seen, agentConnected: false }),
  'a repository and its worktrees appear': (seen) => ({ ...seen, worktrees: seen.worktrees.slice(1) }),
  'every run succeeds': changeRun(
    () => true,
    () => ({ status: 'LOST' }),
  ),
  'every command is executed exactly once': changeRun(
    ({ kind }) => kind === 'PLAN',
    ({ executions }) => ({ executions: [...executions, ...executions] }),
  ),
  'runs of one kind start in the order in which they were queued': (seen) => {
    const [first, second] = seen.runs.filter(isLimited)
    if (!first || !second) return seen
    const swapped = { [first.id]: second.executions, [second.id]: first.executions }
    return { ...seen, runs: seen.runs.map((run) => ({ ...run, executions: swapped[run.id] ?? run.executions })) }
  },
  'a limit of one is never exceeded': (seen) => {
    const [first, second] = seen.runs.filter(isLimited).sort((a, b) => firstBegan(a) - firstBegan(b))
    if (!first || !second) return seen
    // The second begins one millisecond before the first has ended.
    const executions = second.executions.map(({ ended }) => ({ began: (first.executions[0]?.ended ?? 0) - 1, ended }))
    return { ...seen, runs: seen.runs.map((run) => (run === second ? { ...run, executions } : run)) }
  },
  'an exclusive run has the worktree for itself': changeRun(
    ({ kind }) => kind === 'PLAN',
    (_, { runs }) => ({ executions: runs.find(({ exclusive }) => exclusive)?.executions ?? [] }),
  ),
  'a subscriber sees the queue grow and become empty': (seen) => ({
    ...seen,
    queue: seen.queue.filter((waiting) => waiting.length > 0),
  }),
  'logs arrive complete, in order and once': changeRun(
    () => true,
    ({ log }) => ({ log: { ...log, sequences: [...log.sequences, log.sequences.at(-1) ?? 0] } }),
  ),
  'the program continues after it was killed while runs were active': (seen) => ({ ...seen, killedWithLive: 0 }),
  'the history of a run has every transition': (seen) => ({
    ...seen,
    history: seen.history.filter((_, index) => index !== 3),
  }),
  "a run's statechart is drawn": (seen) => ({ ...seen, chart: seen.chart.slice(0, 200) }),
}

/** @param name the promise to break; without one nothing is changed */
export function plantFault(seen: Seen, name: string | undefined): Seen {
  if (name === undefined) return seen
  const fault = faults[name]
  if (fault === undefined)
    throw new Error(`there is no promise "${name}"; there are: ${promises.map((one) => one.name).join('; ')}`)
  return fault(seen)
}
