/** One lifecycle: its chart with the way that it took, a scrubber over its history, the journal, and the operator actions. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import { type ActiveStates, activePaths } from '../../chart/activePaths.ts'
import { Lasting } from '../chart/Lasting.tsx'
import { StateChart } from '../chart/StateChart.tsx'
import { type Stood, timesIn, totalOf } from '../chart/times.ts'
import { useHistory } from '../data/history.ts'
import { useQuery } from '../data/useQuery.ts'
import { Inspect } from '../inspect/Inspect.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Missing, namesNothing } from '../parts/Missing.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { kindPath, kindWords, nameWords } from '../parts/nameWords.ts'
import { useTitle } from '../parts/useTitle.ts'
import { Acts } from './Acts.tsx'
import { Called, type Name } from './Called.tsx'
import { Journal } from './Journal.tsx'

interface ActorFacts extends Name {
  readonly kind: string
  readonly status: string
  readonly phase: string | null
  readonly sequence: number
  readonly terminal: boolean
  readonly context: unknown
  readonly init: unknown
  readonly timers: readonly { readonly id: string; readonly event: string; readonly due: string }[]
  readonly machineVersion: number
  readonly machineHash: string
  readonly createdAt: string
  readonly changedAt: string
}

const query = `query ($id: ID!) { actor(id: $id) {
  id kind title status phase sequence terminal context init timers { id event due } machineVersion machineHash createdAt changedAt
} }`
const charts = 'query ($kind: ActorKind!) { machines(kind: $kind) { hash definition } }'

export function Actor({ id }: { readonly id: string }) {
  return (
    <section>
      <Lifecycle id={id} alone />
    </section>
  )
}

/** @param alone whether no parent view shows its title */
export function Lifecycle({ id, alone = false }: { readonly id: string; readonly alone?: boolean }) {
  const { data, refusal, refresh } = useQuery<{ actor: ActorFacts | null }>(query, { id })
  const { steps, whole, refusal: unread } = useHistory(id)
  const last = steps.at(-1)?.sequence
  const known = data?.actor?.sequence
  // Each new transition makes the response out of date. Transitions that it already contains do not.
  useEffect(() => {
    if (last !== undefined && known !== undefined && last > known) refresh()
  }, [last, known])
  const actor = data?.actor
  useTitle(alone ? [actor?.title ?? id, actor && nameWords(actor.status), actor && kindWords(actor.kind)] : undefined)
  if (actor === null || namesNothing(refusal)) return <Missing what={`There is no actor ${id}.`} />
  return (
    <>
      {actor && alone && (
        <>
          <p class="crumbs">
            <a href="/kinds">Lifecycles</a> <a href={kindPath(actor.kind)}>{kindWords(actor.kind)}</a>
          </p>
          <h1>
            <Called id={actor.id} title={actor.title} />
          </h1>
          <p class="lead">
            <Lamp status={actor.status} />
            {actor.phase && <span>{nameWords(actor.phase)}</span>}
            <span>
              since <Moment at={actor.changedAt} />
            </span>
            <span>
              made <Moment at={actor.createdAt} />
            </span>
            {actor.timers.map(({ id: timer, event, due }) => (
              <span key={timer} title={event}>
                deadline <Moment at={due} />
              </span>
            ))}
          </p>
        </>
      )}
      {(refusal ?? unread) && <Refused refusal={(refusal ?? unread) as NonNullable<typeof refusal>} byItself />}
      {actor === undefined && !refusal && <Loading what={id} />}
      {actor && <History actor={actor} steps={steps} whole={whole} />}
      {actor && (
        <details class="facts">
          <summary>What it is made of</summary>
          <dl>
            <dt>Context</dt>
            <dd>
              <pre>{JSON.stringify(actor.context, null, 2)}</pre>
            </dd>
            <dt>Made with</dt>
            <dd>
              <pre>{JSON.stringify(actor.init, null, 2)}</pre>
            </dd>
          </dl>
        </details>
      )}
    </>
  )
}

function History({
  actor,
  steps,
  whole,
}: {
  readonly actor: ActorFacts
  readonly steps: ReturnType<typeof useHistory>['steps']
  readonly whole: boolean
}) {
  const [chosen, setChosen] = useState<number>()
  const at = chosen ?? steps.length
  const { data } = useQuery<{ machines: readonly { hash: string; definition: string }[] }>(charts, { kind: actor.kind })
  const shown = steps.slice(0, at)
  const step = shown.at(-1)
  const hash = step?.machineHash ?? actor.machineHash
  const definitions = useMemo(() => new Map(data?.machines.map((one) => [one.hash, one.definition] as const)), [data])
  const definition = definitions.get(hash)
  const times = useMemo(() => timesIn(steps, actor.terminal), [steps, actor.terminal])
  const current = step === undefined ? [] : activePaths(step.to as ActiveStates)
  const taken = {
    steps: shown.map(({ from, to, event, at: moment }) => ({
      from: from === null ? [] : activePaths(from as ActiveStates),
      to: activePaths(to as ActiveStates),
      event,
      at: Date.parse(moment),
    })),
    current,
  }
  return (
    <>
      <div class="beside">
        <div>
          {definition && (
            <StateChart
              hash={hash}
              definition={definition}
              title={`The lifecycle of ${actor.title ?? actor.id}`}
              taken={taken}
              times={times}
            />
          )}
          {!definition && <Loading what="the chart" />}
          {steps.length > 0 && (
            <div class="scrubber">
              <label for="scrub">
                Step {step?.sequence ?? 1} of {steps.at(-1)?.sequence ?? 1}
                {step && (
                  <span class="hint">
                    {' '}
                    {step.event}, <Moment at={step.at} />
                  </span>
                )}
              </label>
              <input
                id="scrub"
                type="range"
                min={1}
                max={steps.length}
                value={at}
                onInput={({ currentTarget }) => {
                  const value = Number(currentTarget.value)
                  setChosen(value === steps.length ? undefined : value)
                }}
              />
              {chosen !== undefined && (
                <button type="button" class="quiet" onClick={() => setChosen(undefined)}>
                  Back to now
                </button>
              )}
            </div>
          )}
          <TimeInStates times={times} />
          <Inspect key={actor.id} id={actor.id} steps={steps} whole={whole} definitions={definitions} />
        </div>
        <Acts id={actor.id} sequence={steps.at(-1)?.sequence ?? actor.sequence} />
      </div>
      <Journal steps={steps} chosen={chosen} onChoose={setChosen} />
    </>
  )
}

/** The time that it spent in each of its states, the longest first. */
function TimeInStates({ times }: { readonly times: ReadonlyMap<string, Stood> }) {
  const all = [...times]
    .filter(([path]) => !path.includes('.') || path.startsWith('lifecycle.'))
    .map(([path, stood]) => ({ name: path.replace(/^lifecycle\./, ''), stood, total: totalOf(stood, Date.now()) }))
    .toSorted((a, b) => b.total - a.total)
  if (all.length === 0) return null
  return (
    <ul class="times" aria-label="Time in each state">
      {all.map(({ name, stood }) => (
        <li key={name}>
          <Lamp status={name} /> <Lasting stood={stood} />
        </li>
      ))}
    </ul>
  )
}
