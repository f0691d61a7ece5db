/** Cancels or retries the selected runs: a preview first, then the progress of the steps, then the results. */
import { useEffect, useRef } from 'preact/hooks'
import { toApiError } from '../../data/apiError.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ReasonField, readReason } from '../../parts/forms/ReasonField.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useLocalStore } from '../../state/useLocalStore.ts'
import {
  type BulkPreview,
  type BulkResult,
  type BulkRunAction,
  type BulkSteps,
  createBulkSteps,
  previewBulkAction,
  type Selection,
} from './bulkRunAction.ts'
import { createBulkRunStore } from './bulkRunStore.ts'

const texts = messages.runs.bulk
const actionTexts = { CANCEL: texts.cancel, RETRY: texts.retry } as const
/** The number of refused runs that are listed. */
const listedMax = 100

interface BulkRunDialogProps {
  readonly action: BulkRunAction
  readonly selection: Selection
  /** @param hasActed whether a step was done */
  onClose(hasActed: boolean): void
}

export function BulkRunDialog({ action, selection, onClose }: BulkRunDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const steps = useRef<BulkSteps>(undefined)
  const mayContinue = useRef(true)
  const [{ preview, status, doneCount, refused, error }, { trigger }] = useLocalStore(createBulkRunStore)
  useEffect(() => {
    dialog.current?.showModal()
    previewBulkAction(action, selection).then(
      (loaded) => {
        steps.current = createBulkSteps(action, selection, loaded)
        trigger.previewed({ preview: loaded })
      },
      (cause: unknown) => trigger.failed({ error: toApiError(cause) }),
    )
    return () => {
      mayContinue.current = false
    }
  }, [])
  const perform = async (reason: string | null) => {
    mayContinue.current = true
    trigger.started()
    while (mayContinue.current) {
      const results = await steps.current?.next(reason)
      if (results === undefined) return trigger.finished()
      trigger.stepped({ results })
    }
    trigger.stopped()
  }
  const { name, confirm, text } = actionTexts[action]
  const total = preview?.targetCount ?? 0
  const processed = doneCount + refused.length
  return (
    <dialog ref={dialog} class="bulk-dialog" aria-labelledby="bulk-title" onClose={() => onClose(processed > 0)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const reason = readReason(new FormData(event.currentTarget))
          perform(reason).catch((cause: unknown) => trigger.failed({ error: toApiError(cause) }))
        }}
      >
        <h2 id="bulk-title">{name}</h2>
        {preview === undefined && !error && <p role="status">{messages.parts.loading}</p>}
        {preview && status === 'ready' && <Preview preview={preview} text={text} />}
        {status !== 'ready' && (
          <p role="status" class="bulk-progress">
            <progress max={Math.max(total, processed)} value={processed} aria-label={name} />
            {format(texts.progress, { done: processed, total: Math.max(total, processed) })}
          </p>
        )}
        {status === 'done' && <p>{format(texts.done, { count: doneCount })}</p>}
        {refused.length > 0 && <Refused results={refused} />}
        {error && <ErrorMessage error={error} />}
        {/* The reason stays in the form, because every step has it. */}
        <div hidden={preview === undefined || preview.acceptingCount === 0 || status !== 'ready'}>
          <ReasonField />
        </div>
        <div class="buttons">
          {status === 'working' ? (
            <button
              type="button"
              class="secondary"
              onClick={() => {
                mayContinue.current = false
              }}
            >
              {texts.stop}
            </button>
          ) : (
            <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
              {status === 'ready' ? texts.keep : texts.close}
            </button>
          )}
          {(status === 'ready' || status === 'stopped') && (
            <ActionButton
              type="submit"
              look={action === 'CANCEL' ? 'danger' : 'primary'}
              disabled={preview === undefined || preview.acceptingCount === 0}
            >
              {status === 'stopped' ? texts.continue : format(confirm, { count: preview?.acceptingCount ?? 0 })}
            </ActionButton>
          )}
        </div>
      </form>
    </dialog>
  )
}

function Preview({ preview, text }: { readonly preview: BulkPreview; readonly text: string }) {
  const { matchingCount, acceptingCount, refusals, uncheckedCount } = preview
  return (
    <div class="action-preview">
      <p>{acceptingCount === 0 ? texts.none : text}</p>
      <p>{format(texts.preview, { matching: matchingCount, count: acceptingCount })}</p>
      {refusals.length > 0 && (
        <ul>
          {refusals.map(({ message, count }) => (
            <li key={message}>{format(texts.refused, { count, reason: message })}</li>
          ))}
        </ul>
      )}
      {uncheckedCount > 0 && <p class="hint">{format(texts.unchecked, { count: uncheckedCount })}</p>}
    </div>
  )
}

function Refused({ results }: { readonly results: readonly BulkResult[] }) {
  const shown = results.slice(0, listedMax)
  return (
    <>
      <p>{format(texts.failed, { count: results.length })}</p>
      <ul class="bulk-results">
        {shown.map(({ runId, run, message }) => (
          <li key={runId}>
            <a href={`/runs/${runId}`}>{run?.title ?? runId}</a> {message}
          </li>
        ))}
      </ul>
      {results.length > shown.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: shown.length, total: results.length })}</p>
      )}
    </>
  )
}
