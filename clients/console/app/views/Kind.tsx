/** A kind of lifecycle: its chart as a heat map, and those that stand in a status. */

import { type Heat, StateChart } from '../chart/StateChart.tsx'
import { useQuery } from '../data/useQuery.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { lasted } from '../parts/lasted.ts'
import { MachineFacts, type Version } from '../parts/MachineFacts.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { kindWords, nameWords } from '../parts/nameWords.ts'
import { filters, navigate } from '../router.ts'

interface Counts {
  readonly states: readonly { readonly status: string; readonly count: number; readonly oldestAt: string }[]
}
interface Row {
  readonly id: string
  readonly status: string
  readonly phase: string | null
  readonly changedAt: string
}

const definitions = 'query ($kind: ActorKind!) { machines(kind: $kind) { version hash definition firstSeenAt } }'
const counted = 'query ($kind: ActorKind!) { machines(kind: $kind) { states { status count oldestAt } } }'
const listed = `query ($kind: ActorKind!, $state: String) { actors(kind: $kind, state: $state, first: 100) {
  totalCount nodes { id status phase changedAt }
} }`

export function Kind({ kind }: { readonly kind: string }) {
  const state = filters.value.state ?? null
  const { data, refusal } = useQuery<{ machines: readonly Version[] }>(definitions, { kind })
  const counts = useQuery<{ machines: readonly Counts[] }>(counted, { kind }, 5_000)
  const rows = useQuery<{ actors: { totalCount: number; nodes: readonly Row[] } }>(listed, { kind, state }, 5_000)
  const versions = data?.machines.toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt)) ?? []
  const newest = versions.at(-1)
  const choose = (path: string) => {
    const status = path.replace(/^lifecycle\./, '').split('.')[0] ?? ''
    navigate(state === status ? `/kinds/${kind}` : `/kinds/${kind}?state=${encodeURIComponent(status)}`)
  }
  return (
    <section>
      <p class="crumbs">
        <a href="/kinds">Lifecycles</a>
      </p>
      <h1>{kindWords(kind)}</h1>
      {refusal && <Refused refusal={refusal} byItself />}
      {newest === undefined && !refusal && <Loading what="the chart" />}
      {newest && (
        <>
          <p class="note">
            Version {newest.version}, since <Moment at={newest.firstSeenAt} />. Choose a state to list those that stand
            in it.
          </p>
          <StateChart
            hash={newest.hash}
            definition={newest.definition}
            title={kindWords(kind)}
            taken={{ steps: [], current: [] }}
            heat={heatOf(counts.data?.machines[0])}
            onState={choose}
          />
          <MachineFacts kind={kind} versions={versions} />
        </>
      )}
      <h2>
        {state === null ? 'Newest first' : `In ${nameWords(state)}`}{' '}
        {rows.data && <span class="count">{rows.data.actors.totalCount.toLocaleString()}</span>}
        {state !== null && (
          <a class="more" href={`/kinds/${kind}`}>
            all
          </a>
        )}
      </h2>
      {rows.refusal && <Refused refusal={rows.refusal} byItself />}
      {rows.data?.actors.nodes.length === 0 && <Empty title="None" />}
      <ul class="rows">
        {rows.data?.actors.nodes.map(({ id, status, phase, changedAt }) => (
          <li key={id}>
            <a class="what" href={`/actors/${id}`}>
              {id}
            </a>
            <Lamp status={status} />
            <span class="hint">{phase && nameWords(phase)}</span>
            <Moment at={changedAt} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Each definition has the counts of the whole kind. */
function heatOf({ states }: Counts = { states: [] }): ReadonlyMap<string, Heat> {
  const most = Math.max(1, ...states.map(({ count }) => count))
  const heat = new Map<string, Heat>()
  for (const { status, count, oldestAt } of states) {
    const words = `${count.toLocaleString()}, the oldest ${lasted(Date.now() - Date.parse(oldestAt))}`
    const one = { share: Math.log1p(count) / Math.log1p(most), words }
    heat.set(status, one)
    heat.set(`lifecycle.${status}`, one)
  }
  return heat
}
