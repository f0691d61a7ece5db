/** The operator actions for an actor in its current state. Each one has a preview. */
import { useState } from 'preact/hooks'
import { useOnChange } from '../data/useOnChange.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { OperatorActionDialog } from './OperatorActionDialog.tsx'
import { actionsQuery, type OperatorAction, type OperatorActionPreview } from './operatorAction.ts'

const texts = messages.lifecycle.actions
const groups = ['RETRY_EFFECT', 'SEND_EVENT', 'FORCE_TRANSITION'] as const

const groupsByType: Readonly<Record<string, string>> = { GIVE_UP_EFFECT: 'RETRY_EFFECT' }

interface OperatorActionsProps {
  readonly id: string
  /** The sequence of the actor. Each transition changes the actions. */
  readonly sequence: number
}

/** Closed at first: previews of all actions are among the most expensive responses of the API, and few visitors of an actor use them. */
export function OperatorActions({ id, sequence }: OperatorActionsProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section aria-labelledby="operator-actions">
      <h2 id="operator-actions">{texts.title}</h2>
      {isOpen ? (
        <ActionList id={id} sequence={sequence} />
      ) : (
        <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
          {texts.show}
        </button>
      )}
    </section>
  )
}

/** The pause between two reads while the actor continues. */
const pauseMs = 3_000

function ActionList({ id, sequence }: OperatorActionsProps) {
  const { data, error, refresh } = useQuery(actionsQuery, { id }, { pauseMs })
  const { dialog: selected, open, close } = useDialog<OperatorAction>()
  // Each transition makes the response out of date.
  useOnChange(sequence, refresh)
  const actions = data?.operatorActions.actions ?? []
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data?.operatorActions.refusal && <p class="hint">{data.operatorActions.refusal}</p>}
      {groups.map((group) => {
        const members = actions.filter(({ type }) => (groupsByType[type] ?? type) === group)
        return members.length === 0 ? null : (
          <div key={group} class="operator-actions">
            <h3>{texts.groups[group]}</h3>
            <ul>
              {members.map((action) => (
                <li key={`${action.type} ${action.event} ${action.state} ${action.effectId}`}>
                  <button type="button" onClick={() => open(action)}>
                    {action.label}
                  </button>
                  <OutcomeSummary preview={action.preview} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      {selected && <OperatorActionDialog id={id} action={selected} onClose={close} onDone={refresh} />}
    </>
  )
}

function OutcomeSummary({ preview }: { readonly preview: OperatorActionPreview | null }) {
  if (preview === null) return <span class="hint">{texts.needsIds}</span>
  if (preview.outcome === 'REFUSED')
    return <span class="hint">{format(texts.wouldBeRejected, { problem: preview.problem?.message ?? '' })}</span>
  if (preview.outcome === 'NOTHING') return <span class="hint">{texts.noChange}</span>
  const { statusBefore, statusAfter, tells, moreTells } = preview
  return (
    <span class="hint">
      {statusBefore === statusAfter ? texts.sameStatus : <StatusBadge status={statusAfter} />}
      {tells.length > 0 && `, ${format(texts.affects, { count: tells.length + moreTells })}`}
    </span>
  )
}
