/** The operator actions for an actor in its current state. Each one has a preview. */
import { useEffect, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { useChanged } from '../data/useChanged.ts'
import { useQuery } from '../data/useQuery.ts'
import { Asking } from '../parts/Asking.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { lasted } from '../parts/lasted.ts'
import { Loading, Refused } from '../parts/Notice.tsx'
import { nameWords } from '../parts/nameWords.ts'
import { Reason, reasonIn } from '../parts/Reason.tsx'
import { type ListedAction, toActionInput } from './operatorActionInput.ts'

export interface Preview {
  readonly sequence: number
  readonly outcome: 'TRANSITION' | 'NOTHING' | 'REFUSED'
  readonly problem: { readonly message: string } | null
  readonly statusBefore: string
  readonly statusAfter: string
  readonly terminal: boolean
  readonly timersSet: readonly { readonly event: string; readonly afterMs: number }[]
  readonly timersCanceled: readonly string[]
  readonly effects: readonly string[]
  readonly tells: readonly {
    readonly id: string
    readonly kind: string
    readonly event: string
    readonly outcome: string
    readonly statusBefore: string | null
    readonly statusAfter: string | null
  }[]
  readonly moreTells: number
  readonly queues: readonly { readonly admits: readonly string[] }[]
}

export interface Act extends ListedAction {
  readonly label: string
  readonly requiredIds: readonly { readonly name: string; readonly kind: string }[]
  readonly preview: Preview | null
}

export const previewFields = `sequence outcome problem { message } statusBefore statusAfter terminal
  timersSet { event afterMs } timersCanceled effects
  tells { id kind event outcome statusBefore statusAfter } moreTells queues { admits }`

const query = `query ($id: ID!) { operatorActions(id: $id) { refusal actions {
  type label event state effectId requiredIds { name kind } preview { ${previewFields} }
} } }`

const groups = [
  ['RETRY_EFFECT', 'What has failed'],
  ['SEND_EVENT', 'Events that it takes now'],
  ['FORCE_TRANSITION', 'Where nothing else moves it'],
] as const

const groupOf: Readonly<Record<string, string>> = { GIVE_UP_EFFECT: 'RETRY_EFFECT' }

interface ActsProps {
  readonly id: string
  /** The sequence of the actor. Each transition changes the actions. */
  readonly sequence: number
}

/** Closed at first: previews of all actions are among the most expensive responses of the API, and few visitors of an actor use them. */
export function Acts({ id, sequence }: ActsProps) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="acts">
      <h2 id="acts">What you can do</h2>
      {open ? (
        <ActList id={id} sequence={sequence} />
      ) : (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          Show operator actions
        </button>
      )}
    </section>
  )
}

/** The pause between two reads while the actor continues. */
const pauseMs = 3_000

function ActList({ id, sequence }: ActsProps) {
  const { data, refusal, refresh } = useQuery<{ operatorActions: { refusal: string | null; actions: readonly Act[] } }>(
    query,
    { id },
    { pauseMs },
  )
  const [open, setOpen] = useState<Act>()
  // Each transition makes the response out of date.
  useChanged(sequence, refresh)
  const acts = data?.operatorActions.actions ?? []
  return (
    <>
      {refusal && <Refused refusal={refusal} byItself />}
      {data === undefined && !refusal && <Loading what="the operator actions" />}
      {data?.operatorActions.refusal && <p class="hint">{data.operatorActions.refusal}</p>}
      {groups.map(([group, words]) => {
        const own = acts.filter(({ type }) => (groupOf[type] ?? type) === group)
        return own.length === 0 ? null : (
          <div key={group} class="acts">
            <h3>{words}</h3>
            <ul>
              {own.map((act) => (
                <li key={`${act.type} ${act.event} ${act.state} ${act.effectId}`}>
                  <button type="button" onClick={() => setOpen(act)}>
                    {act.label}
                  </button>
                  <Outcome preview={act.preview} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      {open && <Confirm id={id} act={open} close={() => setOpen(undefined)} done={refresh} />}
    </>
  )
}

function Outcome({ preview }: { readonly preview: Preview | null }) {
  if (preview === null) return <span class="hint">Requires IDs</span>
  if (preview.outcome === 'REFUSED') return <span class="hint">Would be refused: {preview.problem?.message}</span>
  if (preview.outcome === 'NOTHING') return <span class="hint">Would change nothing</span>
  const { statusBefore, statusAfter, tells, moreTells } = preview
  return (
    <span class="hint">
      {statusBefore === statusAfter ? 'stays' : <Lamp status={statusAfter} />}
      {tells.length > 0 && `, tells ${tells.length + moreTells} other${tells.length + moreTells === 1 ? '' : 's'}`}
    </span>
  )
}

interface ConfirmProps {
  readonly id: string
  readonly act: Act
  close(): void
  done(): void
}

const mutation =
  'mutation ($input: PerformOperatorActionInput!) { performOperatorAction(input: $input) { actor { sequence } } }'
const looked = `query ($targets: [OperatorActionTarget!]!) {
  previewOperatorAction(targets: $targets) { ${previewFields} }
}`

function Confirm({ id, act, close, done }: ConfirmProps) {
  const { label, requiredIds } = act
  const [preview, setPreview] = useState(act.preview)
  const [ids, setIds] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<Refusal>()
  const whole = requiredIds.every(({ name }) => /^[a-z]+_[0-9a-z]{26}$/.test(ids[name] ?? ''))
  // The preview of an event that requires IDs needs them.
  useEffect(() => {
    if (requiredIds.length === 0) return
    setPreview(null)
    setRefusal(undefined)
    if (!whole) return
    let current = true
    ask<{ previewOperatorAction: readonly Preview[] }>(looked, {
      targets: [{ id, action: toActionInput(act, ids) }],
    }).then(
      ({ previewOperatorAction }) => current && setPreview(previewOperatorAction[0] ?? null),
      (error: unknown) => current && setRefusal(refusalOf(error)),
    )
    return () => {
      current = false
    }
  }, [ids])
  return (
    <Asking
      title={label}
      yes="Do it"
      ready={preview !== null}
      close={close}
      doIt={async (given) => {
        const expectedSequence = preview?.sequence
        const input = { id, action: toActionInput(act, ids), expectedSequence, reason: reasonIn(given) }
        await ask(mutation, { input }).finally(done)
      }}
    >
      <p class="id">{id}</p>
      {requiredIds.map(({ name, kind }) => (
        <div key={name} class="field">
          <label for={`required-${name}`}>
            {name} <span class="hint">the ID of a {nameWords(kind)}</span>
          </label>
          <input
            id={`required-${name}`}
            required
            autoComplete="off"
            onInput={({ currentTarget }) => setIds({ ...ids, [name]: currentTarget.value.trim() })}
          />
        </div>
      ))}
      {refusal && <Refused refusal={refusal} />}
      {preview && <Foreseen preview={preview} />}
      <Reason required />
    </Asking>
  )
}

/** All facts of a preview. */
export function Foreseen({ preview }: { readonly preview: Preview }) {
  const { outcome, problem, statusBefore, statusAfter, terminal, timersSet, effects, tells, moreTells, queues } =
    preview
  const admits = queues.flatMap((queue) => queue.admits)
  return (
    <dl class="foreseen">
      <dt>It would be</dt>
      <dd>
        <Lamp status={statusBefore} /> → <Lamp status={statusAfter} />
        {outcome === 'NOTHING' && ' nothing changes'}
        {terminal && outcome === 'TRANSITION' && ' and nothing leaves that state'}
      </dd>
      {problem && (
        <>
          <dt>Refused</dt>
          <dd>{problem.message}</dd>
        </>
      )}
      {timersSet.length > 0 && (
        <>
          <dt>Deadlines</dt>
          <dd>
            {timersSet.map(({ event, afterMs }) => (
              <span key={event}>in {lasted(afterMs)} </span>
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
          <dt>Tells</dt>
          <dd>
            <ul>
              {tells.map(({ id, kind, event, outcome: theirs, statusBefore: before, statusAfter: after }) => (
                <li key={`${id} ${event}`}>
                  {nameWords(kind)} <code>{event}</code>{' '}
                  {theirs === 'REFUSED' ? (
                    'does not take it'
                  ) : before === after ? (
                    'stays'
                  ) : (
                    <Lamp status={after ?? ''} />
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
          <dt>Lets in</dt>
          <dd>{admits.join(', ')}</dd>
        </>
      )}
    </dl>
  )
}
