/** One operator action on several actors, with a preview for each actor before and a result for each afterwards. */
import { useEffect } from 'preact/hooks'
import { toApiError } from '../data/apiError.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ActorName } from './ActorName.tsx'
import { actionsQuery, type BulkAction, performMutation, previewQuery } from './bulkAction.ts'
import { createBulkActionsStore } from './bulkActionsStore.ts'
import { toTargets } from './operatorActionInput.ts'
import type { StuckActor } from './stuckActor.ts'

const { bulk: texts } = messages.stuck

export function BulkActions({ actors, onClose }: { readonly actors: readonly StuckActor[]; onClose(): void }) {
  const [{ actions, bulkPreview, results, error }, { trigger }] = useLocalStore(createBulkActionsStore)
  const titles = new Map(actors.map(({ actor }) => [actor.id, actor.title]))
  const run = (task: () => Promise<void>) => {
    trigger.requestStarted()
    task().catch((cause: unknown) => trigger.requestFailed({ error: toApiError(cause) }))
  }
  const loadActions = () =>
    run(async () => {
      const { operatorActions } = await requestGraphql(actionsQuery, {
        id: actors[0]?.actor.id ?? '',
      })
      const offered = operatorActions.actions.filter(({ requiredIds }) => requiredIds.length === 0)
      trigger.actionsLoaded({
        actions: offered.filter(({ label }, index) => offered.findIndex((action) => action.label === label) === index),
      })
    })
  useEffect(loadActions, [])
  const loadPreview = (action: BulkAction) =>
    run(async () => {
      const targets = toTargets(action, actors)
      const { previewOperatorAction: previews } = await requestGraphql(previewQuery, { targets })
      trigger.previewed({ bulkPreview: { action, targets, previews } })
    })
  const perform = async (formData: FormData) => {
    if (bulkPreview === undefined) return
    const targets = bulkPreview.targets.map((target, index) => ({
      ...target,
      expectedSequence: bulkPreview.previews[index]?.sequence ?? 0,
    }))
    const response = await requestGraphql(performMutation, { input: { targets, reason: readReason(formData) ?? '' } })
    trigger.performed({ results: response.performOperatorActions.results })
  }
  const submission = useFormSubmission(perform, () => {})
  return (
    <section class="bulk-actions" aria-labelledby="bulk-actions">
      <h2 id="bulk-actions">{format(texts.selected, { count: actors.length })}</h2>
      {error && <ErrorMessage error={error} />}
      {actions === undefined && !error && <Loading />}
      {actions && bulkPreview === undefined && (
        <ul class="choices">
          {actions.map((action) => (
            <li key={action.label}>
              <button type="button" onClick={() => loadPreview(action)}>
                {action.label}
              </button>
            </li>
          ))}
          {actions.length === 0 && <li class="hint">{texts.noActions}</li>}
          <li>
            <button type="button" onClick={onClose}>
              {texts.clear}
            </button>
          </li>
        </ul>
      )}
      {bulkPreview && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            submission.submit(event.currentTarget)
          }}
        >
          <h3>{bulkPreview.action.label}</h3>
          <ul class="rows">
            {bulkPreview.previews.map(({ id, outcome, problem, statusBefore, statusAfter }) => {
              const result = results?.find((candidate) => candidate.id === id)
              return (
                <li key={id}>
                  <a class="item-name" href={`/actors/${id}`}>
                    <ActorName id={id} title={titles.get(id) ?? null} />
                  </a>
                  <span>
                    <StatusBadge status={statusBefore} /> → <StatusBadge status={statusAfter} />
                  </span>
                  <span class="hint">
                    {result === undefined
                      ? outcome === 'REFUSED'
                        ? problem?.message
                        : outcome === 'NOTHING'
                          ? texts.noChange
                          : ''
                      : result.done
                        ? texts.done
                        : `${result.code}: ${result.message}`}
                  </span>
                </li>
              )
            })}
          </ul>
          {results === undefined ? (
            <>
              <FormErrors submission={submission}>
                <ReasonField required />
              </FormErrors>
              <div class="buttons">
                <button type="button" class="secondary" onClick={() => trigger.previewClosed()}>
                  {texts.back}
                </button>
                <button type="submit" class="primary" disabled={submission.isWorking}>
                  {format(texts.perform, { action: bulkPreview.action.label, count: bulkPreview.previews.length })}
                </button>
              </div>
            </>
          ) : (
            <button type="button" class="primary" onClick={onClose}>
              {texts.close}
            </button>
          )}
        </form>
      )}
    </section>
  )
}
