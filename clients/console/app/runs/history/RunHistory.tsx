/** The transitions of a run: its statechart or its journal, at the moment that the time cursor selects. */
import { useMemo } from 'preact/hooks'
import { type ActiveStates, findActivePaths } from '../../../chart/findActivePaths.ts'
import { StateChart } from '../../chart/StateChart.tsx'
import { measureStateDurations } from '../../chart/stateDurations.ts'
import type { ActorTransition } from '../../data/actorTransition.ts'
import { graphql } from '../../data/graphql.ts'
import { useActorHistory } from '../../data/useActorHistory.ts'
import { useQuery } from '../../data/useQuery.ts'
import { InspectButton } from '../../inspect/InspectButton.tsx'
import { format, messages } from '../../messages.ts'
import { Journal } from '../../operators/Journal.tsx'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { TimeSlider } from './TimeSlider.tsx'
import type { TimeCursor } from './useTimeCursor.ts'

const definitionsQuery = graphql('{ machines(kind: RUN) { hash definition } }')

interface RunHistoryProps {
  readonly id: string
  readonly title: string
  readonly hasEnded: boolean
  readonly tab: 'statechart' | 'history'
  readonly cursor: TimeCursor
}

export function RunHistory({ id, title, hasEnded, tab, cursor }: RunHistoryProps) {
  const { transitions, isComplete, error } = useActorHistory(id)
  const shown = cursor.at === undefined ? transitions : selectUntil(transitions, cursor.at)
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <TimeSlider transitions={transitions} cursor={cursor} />
      {tab === 'statechart' ? (
        <RunChart
          id={id}
          title={title}
          hasEnded={hasEnded}
          transitions={transitions}
          shown={shown}
          isComplete={isComplete}
        />
      ) : (
        <Journal
          transitions={transitions}
          selected={cursor.at === undefined ? undefined : shown.length}
          onSelect={(number) => cursor.moveTo(number === undefined ? undefined : transitions[number - 1]?.sequence)}
        />
      )}
    </>
  )
}

/** At least the first transition: one that the address names may have been removed. */
function selectUntil(transitions: readonly ActorTransition[], at: number): readonly ActorTransition[] {
  return transitions.slice(0, Math.max(1, transitions.findLastIndex(({ sequence }) => sequence <= at) + 1))
}

interface RunChartProps extends Pick<RunHistoryProps, 'id' | 'title' | 'hasEnded'> {
  readonly transitions: readonly ActorTransition[]
  /** Those until the selected moment. */
  readonly shown: readonly ActorTransition[]
  readonly isComplete: boolean
}

function RunChart({ id, title, hasEnded, transitions, shown, isComplete }: RunChartProps) {
  const { data } = useQuery(definitionsQuery, {})
  const definitions = useMemo(
    () => new Map(data?.machines.map(({ hash, definition }) => [hash, definition] as const)),
    [data],
  )
  const durations = useMemo(() => measureStateDurations(transitions, hasEnded), [transitions, hasEnded])
  const last = shown.at(-1)
  const definition = last && definitions.get(last.machineHash)
  if (last === undefined || definition === undefined)
    return (
      <p class="loading chart" role="status">
        {messages.parts.loading}
      </p>
    )
  const trace = {
    transitions: shown.map(({ from, to, event, at }) => ({
      from: from === null ? [] : findActivePaths(from as ActiveStates),
      to: findActivePaths(to as ActiveStates),
      event,
      at: Date.parse(at),
    })),
    current: findActivePaths(last.to as ActiveStates),
  }
  return (
    <>
      <StateChart
        hash={last.machineHash}
        definition={definition}
        title={format(messages.run.history.chart, { title })}
        trace={trace}
        durations={durations}
      />
      <InspectButton key={id} id={id} transitions={transitions} isComplete={isComplete} definitions={definitions} />
    </>
  )
}
