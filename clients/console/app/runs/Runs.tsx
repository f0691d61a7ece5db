/** Runs, newest first, updated live. */

import { useMemo } from 'preact/hooks'
import { useFollowed } from '../data/useFollowed.ts'
import { useList } from '../data/useList.ts'
import { counted } from '../parts/counted.ts'
import { Filters } from '../parts/Filters.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { Picker } from '../parts/Picker.tsx'
import { Rows } from '../parts/Rows.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { filters, setFilters } from '../router.ts'

interface RunRow {
  readonly id: string
  readonly kind: string
  readonly displayNumber: number
  readonly title: string
  readonly status: string
  readonly phase: string | null
  readonly createdAt: string
  readonly agent: { readonly id: string; readonly name: string }
  readonly worktree: { readonly id: string; readonly branch: string | null; readonly path: string | null }
}

const fields = 'id kind displayNumber title status phase createdAt agent { id name } worktree { id branch path }'
const page = `query ($after: String, $statuses: [RunStatus!], $kind: RunKind, $agentId: ID, $worktreeId: ID, $from: DateTime) {
  runs(
    first: 100, after: $after, statuses: $statuses, kind: $kind, agentId: $agentId, worktreeId: $worktreeId, from: $from
  ) { totalCount nodes { ${fields} } pageInfo { hasNextPage endCursor } }
}`

const statuses = [
  'QUEUED',
  'ADMITTED',
  'STARTING',
  'RUNNING',
  'WAITING_FOR_INPUT',
  'PAUSED',
  'CANCELING',
  'INCIDENT',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'TIMED_OUT',
  'LOST',
  'SKIPPED',
]

const kinds = ['PLAN', 'SESSION', 'WORKFLOW']

const hour = 3_600_000
/** Filters of time, by their names in the address. */
const times: Readonly<Record<string, { readonly words: string; readonly ms: number }>> = {
  hour: { words: 'Of the last hour', ms: hour },
  day: { words: 'Of the last 24 hours', ms: 24 * hour },
  week: { words: 'Of the last 7 days', ms: 7 * 24 * hour },
  month: { words: 'Of the last 30 days', ms: 30 * 24 * hour },
}

/** The filters of the list, as the server receives them. */
interface Wanted {
  readonly status: string
  readonly kind: string
  readonly agent: string
  readonly worktree: string
  /** RFC 3339, or null for any time. */
  readonly from: string | null
}

export function Runs() {
  useTitle(['Runs'])
  const { q = '', status = '', kind = '', agent = '', worktree = '', time = '' } = filters.value
  // Fixed at selection, so the list stays the same until the filter is selected again.
  const from = useMemo(() => {
    const ms = times[time]?.ms
    return ms === undefined ? null : new Date(Date.now() - ms).toISOString()
  }, [time])
  const wanted: Wanted = { status, kind, agent, worktree, from }
  return (
    <section>
      <h1>Runs</h1>
      <Filters placeholder="Title, agent or branch" choices={statuses} all="In any status">
        <select
          aria-label="Kind"
          value={kind}
          onChange={({ currentTarget }) => setFilters({ kind: currentTarget.value })}
        >
          <option value="">Of any kind</option>
          {kinds.map((one) => (
            <option key={one} value={one}>
              Of {nameWords(one)}s
            </option>
          ))}
        </select>
        <select
          aria-label="Time"
          value={time}
          onChange={({ currentTarget }) => setFilters({ time: currentTarget.value })}
        >
          <option value="">Of any time</option>
          {Object.entries(times).map(([name, { words }]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
        <Picker name="agent" label="On the agent" kind="AGENT" id={agent} />
        <Picker name="worktree" label="In the worktree" kind="WORKTREE" id={worktree} />
      </Filters>
      <List key={JSON.stringify(wanted)} wanted={wanted} words={q.toLowerCase()} />
    </section>
  )
}

function List({ wanted, words }: { readonly wanted: Wanted; readonly words: string }) {
  const { status, kind, agent, worktree, from } = wanted
  const variables = {
    statuses: status === '' ? null : [status],
    kind: kind === '' ? null : kind,
    agentId: agent === '' ? null : agent,
    worktreeId: worktree === '' ? null : worktree,
    from,
  }
  const { nodes, totalCount, refusal, more } = useList<RunRow>(page, 'runs', variables, ({ id }) => id)
  const { all: changed } = useFollowed<RunRow>(`subscription { runStatusChanged { ${fields} } }`, 'runStatusChanged')
  const shown = useMemo(() => {
    const all = new Map((nodes ?? []).map((run) => [run.id, run]))
    for (const run of changed.values()) all.set(run.id, run)
    return [...all.values()]
      .filter((run) => fits(run, wanted))
      .filter(
        (run) =>
          words === '' || `${run.title} ${run.agent.name} ${run.worktree.branch ?? ''}`.toLowerCase().includes(words),
      )
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }, [nodes, changed, words])
  if (nodes === undefined) return refusal ? <Refused refusal={refusal} byItself /> : <Loading what="the runs" />
  return (
    <>
      {refusal && <Refused refusal={refusal} byItself />}
      <p class="note" role="status">
        {counted(totalCount, 'run')}
        {words !== '' && `, ${shown.length.toLocaleString()} of those that were read are like that`}
      </p>
      {shown.length === 0 && <NoRun isNarrowed={words !== '' || Object.values(wanted).some(Boolean)} />}
      <Rows
        label="Runs"
        rows={shown}
        rowHeight={56}
        idOf={({ id }) => id}
        onNearEnd={more}
        row={(run) => (
          <div class="run">
            <a class="what" href={`/runs/${run.id}`}>
              {run.title}
            </a>
            <Lamp status={run.status} />
            <span class="hint">{run.phase && nameWords(run.phase)}</span>
            <span class="hint host">
              {run.agent.name} · {run.worktree.branch ?? run.worktree.path}
            </span>
            <span class="hint">
              {run.kind.toLowerCase()} {run.displayNumber}
            </span>
            <Moment at={run.createdAt} />
          </div>
        )}
      />
    </>
  )
}

function NoRun({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return isNarrowed ? (
    <Empty title="No matches">
      <p>
        <a href="/runs">Clear the filters</a> to see all runs.
      </p>
    </Empty>
  ) : (
    <Empty title="No run yet">
      <p>Start one over GraphQL, REST or MCP; it appears here by itself.</p>
    </Empty>
  )
}

/** Returns whether a changed run belongs to the list. The server applies the filters only to queries. */
function fits(run: RunRow, { status, kind, agent, worktree, from }: Wanted): boolean {
  return (
    (status === '' || run.status === status) &&
    (kind === '' || run.kind === kind) &&
    (agent === '' || run.agent.id === agent) &&
    (worktree === '' || run.worktree.id === worktree) &&
    (from === null || run.createdAt >= from)
  )
}
