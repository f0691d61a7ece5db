/** The transitions of a run: its statechart or its journal, at the moment that the time cursor selects. */
import { isHistoryDeleted } from '../../data/actorHistoryStore.ts'
import { useActorHistory } from '../../data/useActorHistory.ts'
import { messages } from '../../messages.ts'
import { Journal } from '../../operators/Journal.tsx'
import { TimeSlider } from '../../operators/TimeSlider.tsx'
import { TracedChart } from '../../operators/TracedChart.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { type TimeCursor, toSelection } from './useTimeCursor.ts'

interface RunHistoryProps {
  readonly id: string
  readonly title: string
  readonly hasEnded: boolean
  readonly tab: 'statechart' | 'history'
  readonly cursor: TimeCursor
}

export function RunHistory({ id, title, hasEnded, tab, cursor }: RunHistoryProps) {
  const history = useActorHistory(id)
  const { transitions, isComplete, error } = history
  const { selected, select } = toSelection(transitions, cursor)
  const shown = selected === undefined ? transitions : transitions.slice(0, selected)
  if (isHistoryDeleted(history)) return <p class="hint">{messages.lifecycle.historyDeleted}</p>
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <TimeSlider transitions={transitions} selected={selected} onSelect={select} />
      {tab === 'statechart' ? (
        <TracedChart
          id={id}
          kind="RUN"
          title={title}
          hasEnded={hasEnded}
          transitions={transitions}
          shown={shown}
          isComplete={isComplete}
        />
      ) : (
        <Journal transitions={transitions} selected={selected} onSelect={select} />
      )}
    </>
  )
}
