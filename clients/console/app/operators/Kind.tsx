/** A kind of lifecycle: its chart as a heat map, and the actors that have a status. */

import { useMemo } from 'preact/hooks'
import type { Passed } from '../../chart/flow.ts'
import { parseChart } from '../../chart/parse.ts'
import { heatOf, type Pile, pilesOf, rateOf, type Standing } from '../chart/heat.ts'
import { StateChart } from '../chart/StateChart.tsx'
import { useList } from '../data/useList.ts'
import { useQuery } from '../data/useQuery.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { lasted } from '../parts/lasted.ts'
import { Missing, namesNothing } from '../parts/Missing.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { kindPath, kindWords, nameWords } from '../parts/nameWords.ts'
import { Rows } from '../parts/Rows.tsx'
import { useTitle } from '../parts/useTitle.ts'
import { filters, navigate } from '../router.ts'
import { Called, type Name } from './Called.tsx'
import { MachineFacts, type Version } from './MachineFacts.tsx'

interface Counted {
  readonly machines: readonly { readonly states: readonly Standing[] }[]
  readonly machineThroughput: { readonly since: string; readonly ways: readonly Passed[] }
}
interface Row extends Name {
  readonly status: string
  readonly phase: string | null
  readonly changedAt: string
}

const definitions = 'query ($kind: ActorKind!) { machines(kind: $kind) { version hash definition firstSeenAt } }'
const counted = `query ($kind: ActorKind!) {
  machines(kind: $kind) { states { status count oldestAt p50At p99At } }
  machineThroughput(kind: $kind) { since ways { event from to count } }
}`
const listed = `query ($kind: ActorKind!, $state: String, $after: String) {
  actors(kind: $kind, state: $state, first: 100, after: $after) {
    totalCount nodes { id title status phase changedAt } pageInfo { hasNextPage endCursor }
  }
}`

/** A busy kind makes thousands of transitions a second, so the page polls instead of subscribing. */
const everyMs = 5_000

export function Kind({ kind }: { readonly kind: string }) {
  useTitle([kindWords(kind), 'Lifecycles'])
  const state = filters.value.state ?? null
  const { data, refusal } = useQuery<{ machines: readonly Version[] }>(definitions, { kind })
  const counts = useQuery<Counted>(counted, { kind }, { everyMs })
  const rows = useList<Row>(listed, 'actors', { kind, state }, ({ id }) => id, { everyMs })
  const versions = data?.machines.toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt)) ?? []
  const newest = versions.at(-1)
  const standing = counts.data?.machines[0]?.states ?? []
  const throughput = counts.data?.machineThroughput
  const span = throughput ? Math.max(1, Date.now() - Date.parse(throughput.since)) : 1
  const over = useMemo(() => overIn(newest?.definition), [newest?.hash])
  const piles = pilesOf(standing, throughput?.ways ?? [], over)
  const choose = (path: string) => {
    const status = path.replace(/^lifecycle\./, '').split('.')[0] ?? ''
    navigate(state === status ? kindPath(kind) : `${kindPath(kind)}?state=${encodeURIComponent(status)}`)
  }
  if (namesNothing(refusal)) return <Missing what={`There is no lifecycle called ${nameWords(kind)}.`} />
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
            Version {newest.version}, since <Moment at={newest.firstSeenAt} />. In each state: how many stand there, and
            for how long they have not changed, half of them at most (p50) and 99 in 100 (p99). At each arrow: how often
            it was taken in the last {lasted(throughput ? span : 3_600_000)}. Choose a state to list those that stand in
            it.
          </p>
          {counts.refusal && <Refused refusal={counts.refusal} byItself />}
          <StateChart
            hash={newest.hash}
            definition={newest.definition}
            title={kindWords(kind)}
            taken={{ steps: [], current: [] }}
            heat={heatOf(standing, Date.now())}
            flow={throughput && { passed: throughput.ways, ms: span }}
            onState={choose}
          />
          <Piles piles={piles} kind={kind} ms={span} />
          <MachineFacts kind={kind} versions={versions} />
        </>
      )}
      <h2>
        {state === null ? 'Newest first' : `In ${nameWords(state)}`}{' '}
        {rows.nodes && <span class="count">{rows.totalCount.toLocaleString()}</span>}
        {state !== null && (
          <a class="more" href={kindPath(kind)}>
            all
          </a>
        )}
      </h2>
      {rows.refusal && <Refused refusal={rows.refusal} byItself />}
      {rows.nodes?.length === 0 && <Empty title="None" />}
      {rows.nodes && rows.nodes.length > 0 && (
        <Rows
          label="Actors"
          rows={rows.nodes}
          rowHeight={44}
          idOf={({ id }) => id}
          onNearEnd={rows.more}
          row={({ id, title, status, phase, changedAt }) => (
            <div class="one">
              <a class="what" href={`/actors/${id}`}>
                <Called id={id} title={title} />
              </a>
              <Lamp status={status} />
              <span class="hint">{phase && nameWords(phase)}</span>
              <Moment at={changedAt} />
            </div>
          )}
        />
      )}
    </section>
  )
}

/** Returns the names of the terminal states. */
function overIn(definition: string | undefined): ReadonlySet<string> {
  const nodes = definition === undefined ? [] : parseChart(definition).nodes
  return new Set(nodes.filter(({ terminal }) => terminal).map(({ name }) => name))
}

function Piles({ piles, kind, ms }: { readonly piles: readonly Pile[]; readonly kind: string; readonly ms: number }) {
  if (piles.length === 0) return null
  return (
    <section class="piles" aria-labelledby="piles">
      <h2 id="piles">Where they pile up</h2>
      <ul class="sparse">
        {piles.map(({ status, count, more }) => (
          <li key={status}>
            <a href={`${kindPath(kind)}?state=${encodeURIComponent(status)}`}>{nameWords(status)}</a>:{' '}
            {rateOf(more, ms)} more come than go; {count.toLocaleString()} stand there
          </li>
        ))}
      </ul>
    </section>
  )
}
