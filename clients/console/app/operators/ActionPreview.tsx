/** All facts of a preview: the result, and what else it affects. */
import { format, messages } from '../messages.ts'
import { formatDuration } from '../parts/formatDuration.ts'
import { formatName } from '../parts/formatName.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import type { OperatorActionPreview } from './operatorAction.ts'

const { preview: texts, timers, effects: effectsText, actions, journal } = messages.lifecycle

export function ActionPreview({ preview }: { readonly preview: OperatorActionPreview }) {
  const { outcome, problem, statusBefore, statusAfter, terminal, timersSet, effects, tells, moreTells, queues } =
    preview
  const admits = queues.flatMap((queue) => queue.admits)
  return (
    <dl class="action-preview">
      <dt>{texts.result}</dt>
      <dd>
        <StatusBadge status={statusBefore} /> → <StatusBadge status={statusAfter} />
        {outcome === 'NOTHING' && ` ${texts.noChange}`}
        {terminal && outcome === 'TRANSITION' && ` ${texts.finalState}`}
      </dd>
      {problem && (
        <>
          <dt>{texts.rejected}</dt>
          <dd>{problem.message}</dd>
        </>
      )}
      {timersSet.length > 0 && (
        <>
          <dt>{timers}</dt>
          <dd>
            {timersSet.map(({ event, afterMs }) => (
              <span key={event}>{format(texts.timerIn, { duration: formatDuration(afterMs) })} </span>
            ))}
          </dd>
        </>
      )}
      {effects.length > 0 && (
        <>
          <dt>{effectsText}</dt>
          <dd>{effects.join(', ')}</dd>
        </>
      )}
      {tells.length > 0 && (
        <>
          <dt>{texts.alsoAffects}</dt>
          <dd>
            <ul>
              {tells.map(({ id, kind, event, outcome: tellOutcome, statusBefore: before, statusAfter: after }) => (
                <li key={`${id} ${event}`}>
                  {formatName(kind)} <code>{event}</code>{' '}
                  {tellOutcome === 'REFUSED' ? (
                    texts.rejectsIt
                  ) : before === after ? (
                    actions.sameStatus
                  ) : (
                    <StatusBadge status={after ?? ''} />
                  )}
                </li>
              ))}
              {moreTells > 0 && <li>{format(journal.andMore, { count: moreTells })}</li>}
            </ul>
          </dd>
        </>
      )}
      {admits.length > 0 && (
        <>
          <dt>{texts.starts}</dt>
          <dd>{admits.join(', ')}</dd>
        </>
      )}
    </dl>
  )
}
