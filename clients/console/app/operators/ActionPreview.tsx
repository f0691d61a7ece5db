/** All facts of a preview: the result, and what else it affects. */
import { formatDuration } from '../parts/formatDuration.ts'
import { formatName } from '../parts/formatName.ts'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import type { OperatorActionPreview } from './operatorAction.ts'

export function ActionPreview({ preview }: { readonly preview: OperatorActionPreview }) {
  const { outcome, problem, statusBefore, statusAfter, terminal, timersSet, effects, tells, moreTells, queues } =
    preview
  const admits = queues.flatMap((queue) => queue.admits)
  return (
    <dl class="action-preview">
      <dt>Result</dt>
      <dd>
        <StatusBadge status={statusBefore} /> → <StatusBadge status={statusAfter} />
        {outcome === 'NOTHING' && ' no change'}
        {terminal && outcome === 'TRANSITION' && ' (final state)'}
      </dd>
      {problem && (
        <>
          <dt>Rejected</dt>
          <dd>{problem.message}</dd>
        </>
      )}
      {timersSet.length > 0 && (
        <>
          <dt>Timers</dt>
          <dd>
            {timersSet.map(({ event, afterMs }) => (
              <span key={event}>in {formatDuration(afterMs)} </span>
            ))}
          </dd>
        </>
      )}
      {effects.length > 0 && (
        <>
          <dt>Effects</dt>
          <dd>{effects.join(', ')}</dd>
        </>
      )}
      {tells.length > 0 && (
        <>
          <dt>Also affects</dt>
          <dd>
            <ul>
              {tells.map(({ id, kind, event, outcome: tellOutcome, statusBefore: before, statusAfter: after }) => (
                <li key={`${id} ${event}`}>
                  {formatName(kind)} <code>{event}</code>{' '}
                  {tellOutcome === 'REFUSED' ? (
                    'rejects it'
                  ) : before === after ? (
                    'same status'
                  ) : (
                    <StatusBadge status={after ?? ''} />
                  )}
                </li>
              ))}
              {moreTells > 0 && <li>and {moreTells} more</li>}
            </ul>
          </dd>
        </>
      )}
      {admits.length > 0 && (
        <>
          <dt>Starts</dt>
          <dd>{admits.join(', ')}</dd>
        </>
      )}
    </dl>
  )
}
