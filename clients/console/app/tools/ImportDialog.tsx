/** Imports a document of presets: enter it, preview it, then import what was previewed. */
import { useEffect, useRef } from 'preact/hooks'
import { formatCount } from '../parts/formatCount.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ImportReview } from './ImportReview.tsx'
import { createImportStore } from './importStore.ts'
import type { Preset } from './preset.ts'

interface ImportDialogProps {
  readonly presets: readonly Preset[]
  readonly servers: readonly { readonly id: string; readonly name: string }[]
  onClose(): void
}

export function ImportDialog({ presets, servers, onClose }: ImportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [{ step, document, isUnreadable, imported }, { trigger }] = useLocalStore(createImportStore)
  useEffect(() => dialog.current?.showModal(), [])
  // The element with the focus was removed with the previous view.
  useEffect(() => {
    if (step !== 'enter') heading.current?.focus()
  }, [step])
  const readFile = (file: File | undefined) => {
    if (file === undefined) return
    file.text().then(
      (text) => trigger.fileRead({ document: text }),
      () => trigger.fileUnreadable(),
    )
  }
  return (
    <dialog ref={dialog} class="wide" onClose={onClose} aria-labelledby="import">
      <div class="stack">
        <h2 id="import" ref={heading} tabIndex={-1}>
          {step === 'done' ? 'Imported' : 'Import presets'}
        </h2>
        {step === 'enter' && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              trigger.entered()
            }}
          >
            <div class="field">
              <label for="import-file">
                File <span class="hint">from an export</span>
              </label>
              <input
                id="import-file"
                type="file"
                accept="application/json,.json"
                onChange={({ currentTarget }) => readFile(currentTarget.files?.[0])}
              />
            </div>
            {isUnreadable && (
              <p class="problem" role="alert">
                The browser could not read this file. Select it again, or paste its content.
              </p>
            )}
            <div class="field">
              <label for="import-document">Or paste the document</label>
              <textarea
                id="import-document"
                required
                rows={10}
                spellcheck={false}
                value={document}
                onInput={({ currentTarget }) => trigger.documentChanged({ document: currentTarget.value })}
              />
            </div>
            <p class="hint">The next step shows a preview. Nothing is changed yet.</p>
            <div class="buttons">
              <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
              <button type="submit" class="primary">
                Preview
              </button>
            </div>
          </form>
        )}
        {step === 'review' && (
          <ImportReview
            document={document}
            presets={presets}
            servers={servers}
            onBack={() => trigger.reopened()}
            onDone={(counts) => trigger.completed({ imported: counts })}
          />
        )}
        {step === 'done' && imported && (
          <>
            <p role="status">
              {formatCount(imported.created, 'preset')} created, {imported.replaced.toLocaleString()} replaced,{' '}
              {imported.skipped.toLocaleString()} skipped.
            </p>
            <div class="buttons">
              <button type="button" class="primary" onClick={() => dialog.current?.close()}>
                Close
              </button>
            </div>
          </>
        )}
      </div>
    </dialog>
  )
}
