/** What an operator can do to an actor as it stands: each act says beforehand what would come of it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, Refusal } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'
import { Lamp } from './Lamp.tsx'
import { lasted } from './lasted.ts'
import { Refused } from './Notice.tsx'

export interface Preview {
  readonly sequence: number
  readonly outcome: 'STEP' | 'NOTHING' | 'REFUSED'
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

export interface Act {
  readonly act: string
  readonly label: string
  readonly event: string | null
  readonly state: string | null
  readonly effectId: string | null
  readonly carries: readonly { readonly name: string; readonly kind: string }[]
  readonly preview: Preview | null
}

export const previewFields = `sequence outcome problem { message } statusBefore statusAfter terminal
  timersSet { event afterMs } timersCanceled effects
  tells { id kind event outcome statusBefore statusAfter } moreTells queues { admits }`

const query = `query ($id: ID!) { operatorActs(id: $id) { refusal acts {
  act label event state effectId carries { name kind } preview { ${previewFields} }
} } }`

const groups = [
  ['RETRY_EFFECT', 'What has failed'],
  ['SEND_EVENT', 'Events that it takes now'],
  ['MOVE', 'Where nothing else moves it'],
] as const

const groupOf: Readonly<Record<string, string>> = { GIVE_UP_EFFECT: 'RETRY_EFFECT' }

/** @param sequence of the actor: with each step the acts are others */
export function Acts({ id, sequence }: { readonly id: string; readonly sequence: number }) {
  const { data, refusal, refresh } = useQuery<{ operatorActs: { refusal: string | null; acts: readonly Act[] } }>(
    query,
    {
      id,
    },
  )
  const [open, setOpen] = useState<Act>()
  // Each step makes it old.
  useEffect(refresh, [sequence])
  const acts = data?.operatorActs.acts ?? []
  return (
    <section aria-labelledby="acts">
      <h2 id="acts">What you can do</h2>
      {refusal && <Refused refusal={refusal} />}
      {data?.operatorActs.refusal && <p class="hint">{data.operatorActs.refusal}</p>}
      {groups.map(([group, words]) => {
        const own = acts.filter(({ act }) => (groupOf[act] ?? act) === group)
        return own.length === 0 ? null : (
          <div key={group} class="acts">
            <h3>{words}</h3>
            <ul>
              {own.map((act) => (
                <li key={`${act.act} ${act.event} ${act.state} ${act.effectId}`}>
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
    </section>
  )
}

function Outcome({ preview }: { readonly preview: Preview | null }) {
  if (preview === null) return <span class="hint">Asks for what it carries</span>
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

const mutation = 'mutation ($input: OperateActorInput!) { operateActor(input: $input) { actor { sequence } } }'

function Confirm({ id, act, close, done }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [refusal, setRefusal] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const { preview, carries } = act
  const submit = async (form: HTMLFormElement) => {
    setBusy(true)
    setRefusal(undefined)
    const given = new FormData(form)
    const payload = Object.fromEntries(carries.map(({ name }) => [name, String(given.get(name) ?? '').trim()]))
    const input = {
      id,
      act: act.act,
      event: act.event,
      state: act.state,
      effectId: act.effectId,
      payload: carries.length > 0 ? payload : null,
      expectedSequence: preview?.sequence ?? (await sequenceOf(id)),
      reason: String(given.get('reason') ?? '').trim(),
    }
    try {
      await ask(mutation, { input })
      done()
      close()
    } catch (error) {
      setRefusal(error instanceof Refusal ? error : new Refusal('INTERNAL', String(error)))
      setBusy(false)
      done()
    }
  }
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="act">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <h2 id="act">{act.label}</h2>
        <p class="id">{id}</p>
        {preview && <Foreseen preview={preview} />}
        {carries.map(({ name, kind }) => (
          <div key={name} class="field">
            <label for={`carries-${name}`}>
              {name} <span class="hint">the ID of a {kind}</span>
            </label>
            <input id={`carries-${name}`} name={name} required autoComplete="off" />
          </div>
        ))}
        <div class="field">
          <label for="reason">
            Why <span class="hint">is kept in the journal</span>
          </label>
          <input id="reason" name="reason" required maxLength={500} autoComplete="off" />
        </div>
        {refusal && <Conflict refusal={refusal} />}
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            Leave it
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {busy ? 'Doing it …' : 'Do it'}
          </button>
        </div>
      </form>
    </dialog>
  )
}

async function sequenceOf(id: string): Promise<number> {
  const { actor } = await ask<{ actor: { sequence: number } | null }>(
    'query ($id: ID!) { actor(id: $id) { sequence } }',
    {
      id,
    },
  )
  return actor?.sequence ?? 0
}

function Conflict({ refusal }: { readonly refusal: Refusal }) {
  const moved = refusal.code === 'CONFLICT'
  return (
    <div class="message" role="alert">
      <p>{moved ? 'It has moved on since you looked, and nothing was done.' : refusal.message}</p>
      {moved && <p class="hint">Leave this, look at what has come, and decide anew.</p>}
    </div>
  )
}

/** All that the preview knows. */
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
        {terminal && outcome === 'STEP' && ' and nothing leaves that state'}
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
                  {kind} <code>{event}</code>{' '}
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
