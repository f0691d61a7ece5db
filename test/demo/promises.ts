/**
 * The promises of the demo, and the check of each against the recorded facts. The demo fails with the name of the first broken promise.
 * `test/demo/promises.long.test.ts` breaks each promise deliberately.
 */

/** One run, as the demo asked for it and as it went. Times are milliseconds since 1970. */
export interface SeenRun {
  readonly id: string
  readonly title: string
  readonly kind: 'PLAN' | 'SESSION' | 'WORKFLOW'
  readonly exclusive: boolean
  /** 0: none. */
  readonly limit: number
  readonly status: string
  readonly queuedAt: number
  /** The times at which its commands began and ended, recorded by the commands themselves for each execution. */
  readonly executions: readonly { readonly began: number; readonly ended: number }[]
  /** The log as received live, and the totals in its last chunk. */
  readonly log: {
    readonly text: string
    readonly sequences: readonly number[]
    readonly sha256: string
    readonly end: LogEnd | undefined
  }
  /** Every line that its commands wrote. */
  readonly expectedLog: string
}

export interface LogEnd {
  readonly chunks: number
  readonly sha256: string
}

export interface Seen {
  /** Milliseconds from the first start until it answered ready. */
  readonly readyAfter: number
  readonly agentConnected: boolean
  readonly worktrees: readonly string[]
  readonly expectedWorktrees: readonly string[]
  readonly runs: readonly SeenRun[]
  /** The queue's picture each time it changed: the IDs of those that waited, in order. */
  readonly queue: readonly (readonly string[])[]
  /** Live runs at the moment of SIGKILL, and whether the program answered again afterwards. */
  readonly killedWithLive: number
  readonly answeredAfterKill: boolean
  /** The journal of one run. */
  readonly history: readonly { readonly sequence: number; readonly from: unknown; readonly to: unknown }[]
  readonly chart: string
}

export interface Promised {
  readonly name: string
  /** Says what was wrong, or nothing. */
  broken(seen: Seen): string | undefined
}

const byBegin = (a: { began: number }, b: { began: number }) => a.began - b.began

export const promises: readonly Promised[] = [
  {
    name: 'the program starts with its own database within 10 s',
    broken: ({ readyAfter }) => (readyAfter > 10_000 ? `it took ${Math.round(readyAfter)} ms` : undefined),
  },
  {
    name: 'an agent enrolls and connects',
    broken: ({ agentConnected }) => (agentConnected ? undefined : 'no agent is connected'),
  },
  {
    name: 'a repository and its worktrees appear',
    broken: ({ worktrees, expectedWorktrees }) => {
      const missing = expectedWorktrees.filter((path) => !worktrees.includes(path))
      return missing.length > 0 ? `${missing.join(', ')} did not appear` : undefined
    },
  },
  {
    name: 'every run succeeds',
    broken: ({ runs }) => {
      const bad = runs.filter(({ status }) => status !== 'SUCCEEDED')
      if (runs.length === 0) return 'there was no run'
      return bad.length > 0 ? bad.map(({ title, status }) => `${title} is ${status}`).join(', ') : undefined
    },
  },
  {
    name: 'every command is executed exactly once',
    broken: ({ runs }) =>
      runs
        .filter(({ executions }) => executions.length !== 1)
        .map(({ title, executions }) => `${title} was executed ${executions.length} times`)
        .at(0),
  },
  {
    name: 'runs of one kind start in the order in which they were queued',
    broken: ({ runs }) => {
      for (const kind of ['PLAN', 'SESSION', 'WORKFLOW'] as const) {
        const queued = runs
          .filter((run) => run.kind === kind)
          .sort((a, b) => a.queuedAt - b.queuedAt || (a.id < b.id ? -1 : 1))
        const limited = queued.filter(({ limit }) => limit === 1)
        const started = [...limited].sort((a, b) => (a.executions[0]?.began ?? 0) - (b.executions[0]?.began ?? 0))
        const wrong = limited.find((run, index) => run !== started[index])
        if (wrong) return `${wrong.title} was passed`
      }
      return undefined
    },
  },
  {
    name: 'a limit of one is never exceeded',
    broken: ({ runs }) => {
      const sessions = runs.filter(({ kind, limit }) => kind === 'SESSION' && limit === 1)
      const spans = sessions
        .flatMap(({ title, executions }) => executions.map((span) => ({ title, ...span })))
        .sort(byBegin)
      const overlap = spans.find((span, index) => index > 0 && span.began < (spans[index - 1]?.ended ?? 0))
      return overlap && `${overlap.title} began before the one before it had ended`
    },
  },
  {
    name: 'an exclusive run has the worktree for itself',
    broken: ({ runs }) => {
      const spans = runs.flatMap((run) => run.executions.map((span) => ({ run, ...span })))
      for (const own of spans.filter(({ run }) => run.exclusive)) {
        const other = spans.find(({ run, began, ended }) => run !== own.run && began < own.ended && own.began < ended)
        if (other) return `${other.run.title} ran beside ${own.run.title}`
      }
      return runs.some(({ exclusive }) => exclusive) ? undefined : 'there was no exclusive run'
    },
  },
  {
    name: 'a subscriber sees the queue grow and become empty',
    broken: ({ queue }) => {
      const lengths = queue.map((waiting) => waiting.length)
      return Math.max(0, ...lengths) >= 2 && lengths.at(-1) === 0 ? undefined : `its lengths were ${lengths.join(', ')}`
    },
  },
  {
    name: 'logs arrive complete, in order and once',
    broken: ({ runs }) => {
      for (const { title, log, expectedLog } of runs) {
        if (log.sequences.some((sequence, index) => sequence !== index))
          return `${title}: the sequences have a gap or a repeat`
        if (log.text !== expectedLog) return `${title}: the log is not what its command wrote`
        if (log.end === undefined) return `${title}: the log has no end`
        if (log.end.sha256 !== log.sha256) return `${title}: the checksum is different`
        if (log.end.chunks !== log.sequences.length) return `${title}: the number of chunks is different`
      }
      return undefined
    },
  },
  {
    name: 'the program continues after it was killed while runs were active',
    broken: ({ killedWithLive, answeredAfterKill }) => {
      if (killedWithLive === 0) return 'no run was active when the program was killed'
      return answeredAfterKill ? undefined : 'the program did not answer again'
    },
  },
  {
    name: 'the history of a run has every transition',
    broken: ({ history }) => {
      if (history.length < 5) return `there are ${history.length} transitions`
      const gap = history.find(({ sequence }, index) => sequence !== index + 1)
      if (gap) return `the sequence ${gap.sequence} does not follow`
      const torn = history.find(
        ({ from }, index) => index > 0 && JSON.stringify(from) !== JSON.stringify(history[index - 1]?.to),
      )
      return torn && `transition ${torn.sequence} does not begin where the one before it ended`
    },
  },
  {
    name: "a run's statechart is drawn",
    broken: ({ chart }) =>
      chart.startsWith('<svg') && chart.includes('SUCCEEDED') && chart.endsWith('</svg>\n')
        ? undefined
        : 'the chart is no SVG of a run',
  },
]

/** The promises that were not kept, each with what was wrong. */
export function brokenPromises(seen: Seen): string[] {
  return promises.flatMap(({ name, broken }) => {
    const problem = broken(seen)
    return problem === undefined ? [] : [`${name}: ${problem}`]
  })
}
