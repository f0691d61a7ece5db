/** The statechart of an actor with the taken path, the time in each state, and the button that opens the inspector. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type ActiveStates, findActivePaths } from '../../chart/findActivePaths.ts'
import { StateChart } from '../chart/StateChart.tsx'
import { getTotalMs, measureStateDurations, type StateDuration } from '../chart/stateDurations.ts'
import { TimeInState } from '../chart/TimeInState.tsx'
import type { ActorTransition } from '../data/actorTransition.ts'
import { type EnumValue, graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { InspectButton } from '../inspect/InspectButton.tsx'
import { format, messages } from '../messages.ts'
import { Loading } from '../parts/notices/Loading.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'

const definitionsQuery = graphql('query ($kind: ActorKind!) { machines(kind: $kind) { hash definition } }')

interface TracedChartProps {
  readonly id: string
  readonly kind: EnumValue<'ActorKind'>
  readonly title: string
  readonly hasEnded: boolean
  readonly transitions: readonly ActorTransition[]
  /** The transitions until the selected moment. */
  readonly shown: readonly ActorTransition[]
  /** Whether `transitions` has the whole history. */
  readonly isComplete: boolean
  /** The definition to show if there are no transitions. Undefined if there will be some. */
  readonly hash?: string
  /** Shown below the chart. */
  readonly children?: ComponentChildren
}

export function TracedChart({
  id,
  kind,
  title,
  hasEnded,
  transitions,
  shown,
  isComplete,
  hash: latestHash,
  children,
}: TracedChartProps) {
  const { data } = useQuery(definitionsQuery, { kind })
  const definitions = useMemo(
    () => new Map(data?.machines.map(({ hash, definition }) => [hash, definition] as const)),
    [data],
  )
  const durations = useMemo(() => measureStateDurations(transitions, hasEnded), [transitions, hasEnded])
  const last = shown.at(-1)
  const hash = last?.machineHash ?? latestHash
  const trace = {
    transitions: shown.map(({ from, to, event, at }) => ({
      from: from === null ? [] : findActivePaths(from as ActiveStates),
      to: findActivePaths(to as ActiveStates),
      event,
      at: Date.parse(at),
    })),
    current: last === undefined ? [] : findActivePaths(last.to as ActiveStates),
  }
  return (
    <>
      {hash !== undefined ? (
        <StateChart
          id={{ kind, hash }}
          title={format(messages.run.history.chart, { title })}
          trace={trace}
          durations={durations}
        />
      ) : (
        <Loading />
      )}
      {children}
      <TimeInStates durations={durations} />
      <InspectButton key={id} id={id} transitions={transitions} isComplete={isComplete} definitions={definitions} />
    </>
  )
}

/** The time that the actor spent in each of its states, the longest first. */
function TimeInStates({ durations }: { readonly durations: ReadonlyMap<string, StateDuration> }) {
  const states = [...durations]
    .filter(([path]) => !path.includes('.') || path.startsWith('lifecycle.'))
    .map(([path, duration]) => ({
      name: path.replace(/^lifecycle\./, ''),
      duration,
      total: getTotalMs(duration, Date.now()),
    }))
    .toSorted((a, b) => b.total - a.total)
  if (states.length === 0) return null
  return (
    <ul class="state-times" aria-label={messages.lifecycle.timeInStates}>
      {states.map(({ name, duration }) => (
        <li key={name}>
          <StatusBadge status={name} /> <TimeInState duration={duration} />
        </li>
      ))}
    </ul>
  )
}
