/** One action for several actors: a preview for each before, and the result for each after. */
import { useEffect, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { Doing, useDoing } from '../parts/Doing.tsx'
import { Lamp } from '../parts/Lamp.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { Reason, reasonIn } from '../parts/Reason.tsx'
import { type Act, type Preview, previewFields } from './Acts.tsx'
import { Called } from './Called.tsx'
import { type OperatorActionTarget, toTargets } from './operatorActionInput.ts'
import type { StuckActor } from './stuckActor.ts'

interface Result {
  readonly id: string
  readonly done: boolean
  readonly code: string | null
  readonly message: string | null
}
type Chosen = Pick<Act, 'type' | 'event' | 'state' | 'effectId' | 'label'>
interface Looked {
  readonly act: Chosen
  readonly targets: readonly OperatorActionTarget[]
  readonly previews: readonly (Preview & { readonly id: string })[]
}

const listed = `query ($id: ID!) { operatorActions(id: $id) { actions { type label event state effectId requiredIds { name kind } } } }`
const looked = `query ($targets: [OperatorActionTarget!]!) {
  previewOperatorAction(targets: $targets) { id ${previewFields} }
}`
const carriedOut = `mutation ($input: PerformOperatorActionsInput!) {
  performOperatorActions(input: $input) { results { id done code message } }
}`

export function Many({ chosen, close }: { readonly chosen: readonly StuckActor[]; close(): void }) {
  const [acts, setActs] = useState<readonly Chosen[]>()
  const [look, setLook] = useState<Looked>()
  const [results, setResults] = useState<readonly Result[]>()
  const [refusal, setRefusal] = useState<Refusal>()
  const titles = new Map(chosen.map(({ actor }) => [actor.id, actor.title]))
  const attempt = (todo: () => Promise<void>) => {
    setRefusal(undefined)
    todo().catch((error: unknown) => setRefusal(refusalOf(error)))
  }
  const list = () =>
    attempt(async () => {
      const { operatorActions } = await ask<{ operatorActions: { actions: readonly Act[] } }>(listed, {
        id: chosen[0]?.actor.id,
      })
      const all = operatorActions.actions.filter(({ requiredIds }) => requiredIds.length === 0)
      setActs(all.filter(({ label }, index) => all.findIndex((one) => one.label === label) === index))
    })
  useEffect(list, [])
  const preview = (act: Chosen) =>
    attempt(async () => {
      const targets = toTargets(act, chosen)
      const { previewOperatorAction } = await ask<{ previewOperatorAction: Looked['previews'] }>(looked, {
        targets,
      })
      setLook({ act, targets, previews: previewOperatorAction })
    })
  const carryOut = async (given: FormData) => {
    if (look === undefined) return
    const { targets: previewed, previews } = look
    const targets = previewed.map((target, index) => ({ ...target, expectedSequence: previews[index]?.sequence }))
    const answer = await ask<{ performOperatorActions: { results: readonly Result[] } }>(carriedOut, {
      input: { targets, reason: reasonIn(given) },
    })
    setResults(answer.performOperatorActions.results)
  }
  const doing = useDoing(carryOut, () => {})
  return (
    <section class="many" aria-labelledby="many">
      <h2 id="many">{chosen.length} chosen</h2>
      {refusal && <Refused refusal={refusal} />}
      {acts === undefined && !refusal && <Loading what="what can be done" />}
      {acts && look === undefined && (
        <ul class="choices">
          {acts.map((act) => (
            <li key={act.label}>
              <button type="button" onClick={() => preview(act)}>
                {act.label}
              </button>
            </li>
          ))}
          {acts.length === 0 && <li class="hint">Nothing can be done to them.</li>}
          <li>
            <button type="button" onClick={close}>
              Leave them
            </button>
          </li>
        </ul>
      )}
      {look && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            doing.submit(event.currentTarget)
          }}
        >
          <h3>{look.act.label}</h3>
          <ul class="rows">
            {look.previews.map(({ id, outcome, problem, statusBefore, statusAfter }) => {
              const result = results?.find((one) => one.id === id)
              return (
                <li key={id}>
                  <a class="what" href={`/actors/${id}`}>
                    <Called id={id} title={titles.get(id) ?? null} />
                  </a>
                  <span>
                    <Lamp status={statusBefore} /> → <Lamp status={statusAfter} />
                  </span>
                  <span class="hint">
                    {result === undefined
                      ? outcome === 'REFUSED'
                        ? problem?.message
                        : outcome === 'NOTHING'
                          ? 'would change nothing'
                          : ''
                      : result.done
                        ? 'done'
                        : `${result.code}: ${result.message}`}
                  </span>
                </li>
              )
            })}
          </ul>
          {results === undefined ? (
            <>
              <Doing doing={doing}>
                <Reason required />
              </Doing>
              <div class="buttons">
                <button type="button" class="secondary" onClick={() => setLook(undefined)}>
                  Something else
                </button>
                <button type="submit" class="primary" disabled={doing.working}>
                  Do it to all {look.previews.length}
                </button>
              </div>
            </>
          ) : (
            <button type="button" class="primary" onClick={close}>
              Close
            </button>
          )}
        </form>
      )}
    </section>
  )
}
