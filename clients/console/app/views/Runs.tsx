/** Runs, newest first, as they go. */

import { useMemo, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { useFollowed } from '../data/useFollowed.ts'
import { useQuery } from '../data/useQuery.ts'
import { Filters } from '../parts/Filters.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { VirtualList } from '../parts/VirtualList.tsx'
import { filters } from '../router.ts'

interface RunRow {
  readonly id: string
  readonly kind: string
  readonly displayNumber: number
  readonly title: string
  readonly status: string
  readonly phase: string | null
  readonly createdAt: string
  readonly agent: { readonly name: string }
  readonly worktree: { readonly branch: string | null; readonly path: string | null }
}

const fields = 'id kind displayNumber title status phase createdAt agent { name } worktree { branch path }'
const page = `query ($after: String, $statuses: [RunStatus!]) { runs(first: 100, after: $after, statuses: $statuses) {
  totalCount nodes { ${fields} } pageInfo { hasNextPage endCursor }
} }`

interface Page {
  readonly runs: {
    readonly totalCount: number
    readonly nodes: readonly RunRow[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  }
}

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

export function Runs() {
  const { q = '', status = '' } = filters.value
  return (
    <section>
      <h1>Runs</h1>
      <Filters placeholder="Title, agent or branch" choices={statuses} all="In any status" />
      <List key={status} status={status} words={q.toLowerCase()} />
    </section>
  )
}

function List({ status, words }: { readonly status: string; readonly words: string }) {
  const variables = { after: null, statuses: status === '' ? null : [status] }
  const { data, refusal } = useQuery<Page>(page, variables)
  const { all: changed } = useFollowed<RunRow>(`subscription { runStatusChanged { ${fields} } }`, 'runStatusChanged')
  const [older, setOlder] = useState<readonly Page['runs'][]>([])
  const [failed, setFailed] = useState<Refusal>()
  const [reading, setReading] = useState(false)
  const last = older.at(-1) ?? data?.runs
  const more = () => {
    const after = last?.pageInfo.endCursor
    if (reading || !last?.pageInfo.hasNextPage || !after) return
    setReading(true)
    ask<Page>(page, { ...variables, after })
      .then(
        ({ runs }) => setOlder((before) => [...before, runs]),
        (error: unknown) => setFailed(refusalOf(error)),
      )
      .finally(() => setReading(false))
  }
  const shown = useMemo(() => {
    const all = new Map(
      [...(data?.runs.nodes ?? []), ...older.flatMap(({ nodes }) => nodes)].map((run) => [run.id, run]),
    )
    for (const run of changed.values()) all.set(run.id, run)
    return [...all.values()]
      .filter((run) => status === '' || run.status === status)
      .filter(
        ({ title, agent, worktree }) =>
          words === '' || `${title} ${agent.name} ${worktree.branch ?? ''}`.toLowerCase().includes(words),
      )
      .sort((a, b) => (a.id < b.id ? 1 : -1))
  }, [data, older, changed, status, words])
  if (data === undefined) return refusal ? <Refused refusal={refusal} byItself /> : <Loading what="the runs" />
  return (
    <>
      {(refusal ?? failed) && <Refused refusal={(refusal ?? failed) as Refusal} byItself />}
      <p class="note" role="status">
        {data.runs.totalCount.toLocaleString()} {data.runs.totalCount === 1 ? 'run' : 'runs'}
        {words !== '' && `, ${shown.length.toLocaleString()} of those that were read are like that`}
      </p>
      {shown.length === 0 && (
        <Empty title="No run">
          <p>Start one over GraphQL, REST or MCP; it appears here by itself.</p>
        </Empty>
      )}
      <VirtualList
        label="Runs"
        count={shown.length}
        rowHeight={56}
        keyOf={(index) => shown[index]?.id ?? index}
        onNearEnd={more}
        row={(index) => {
          const run = shown[index]
          if (run === undefined) return null
          return (
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
          )
        }}
      />
    </>
  )
}
