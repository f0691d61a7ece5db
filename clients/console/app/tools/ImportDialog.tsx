/** Imports a document of presets: enter it, preview it, then import what was previewed. */
import { useEffect, useRef } from 'preact/hooks'
import { format, messages } from '../messages.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ImportReview } from './ImportReview.tsx'
import { createImportStore } from './importStore.ts'
import type { Preset } from './preset.ts'

const texts = messages.tools.presetImport

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
          {step === 'done' ? texts.done : texts.title}
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
                {texts.file} <span class="hint">{texts.fileHint}</span>
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
                {texts.unreadable}
              </p>
            )}
            <div class="field">
              <label for="import-document">{texts.document}</label>
              <textarea
                id="import-document"
                required
                rows={10}
                spellcheck={false}
                value={document}
                onInput={({ currentTarget }) => trigger.documentChanged({ document: currentTarget.value })}
              />
            </div>
            <p class="hint">{texts.previewHint}</p>
            <div class="buttons">
              <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
                {messages.parts.cancel}
              </button>
              <button type="submit" class="primary">
                {texts.preview}
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
              {format(texts.imported, {
                count: imported.created,
                replaced: imported.replaced,
                skipped: imported.skipped,
              })}
            </p>
            <div class="buttons">
              <button type="button" class="primary" onClick={() => dialog.current?.close()}>
                {texts.close}
              </button>
            </div>
          </>
        )}
      </div>
    </dialog>
  )
}
