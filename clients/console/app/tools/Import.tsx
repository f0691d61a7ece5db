/** Imports a document of presets: enter it, preview it, then import what was previewed. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../parts/counted.ts'
import type { Preset } from './preset.ts'
import { type Imported, Review } from './Review.tsx'

interface ImportProps {
  readonly presets: readonly Preset[]
  readonly servers: readonly { readonly id: string; readonly name: string }[]
  close(): void
}

export function Import({ presets, servers, close }: ImportProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [document, setDocument] = useState('')
  const [step, setStep] = useState<'give' | 'review' | 'done'>('give')
  const [imported, setImported] = useState<Imported>()
  const [unread, setUnread] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  // The element with the focus was removed with the previous view.
  useEffect(() => {
    if (step !== 'give') heading.current?.focus()
  }, [step])
  const read = (file: File | undefined) => {
    if (file === undefined) return
    file.text().then(
      (text) => {
        setDocument(text)
        setUnread(false)
      },
      () => setUnread(true),
    )
  }
  return (
    <dialog ref={dialog} class="wide" onClose={close} aria-labelledby="import">
      <div class="stack">
        <h2 id="import" ref={heading} tabIndex={-1}>
          {step === 'done' ? 'Imported' : 'Import presets'}
        </h2>
        {step === 'give' && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              setStep('review')
            }}
          >
            <div class="field">
              <label for="import-file">
                A file <span class="hint">as an export gives it</span>
              </label>
              <input
                id="import-file"
                type="file"
                accept="application/json,.json"
                onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
              />
            </div>
            {unread && (
              <p class="problem" role="alert">
                The browser could not read this file. Choose it again, or paste what is in it.
              </p>
            )}
            <div class="field">
              <label for="import-document">Or the document itself</label>
              <textarea
                id="import-document"
                required
                rows={10}
                spellcheck={false}
                value={document}
                onInput={({ currentTarget }) => setDocument(currentTarget.value)}
              />
            </div>
            <p class="hint">Nothing is written yet: you see first what would become of each preset.</p>
            <div class="buttons">
              <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
                Leave it
              </button>
              <button type="submit" class="primary">
                Preview
              </button>
            </div>
          </form>
        )}
        {step === 'review' && (
          <Review
            document={document}
            presets={presets}
            servers={servers}
            back={() => setStep('give')}
            done={(result) => {
              setImported(result)
              setStep('done')
            }}
          />
        )}
        {step === 'done' && imported && (
          <>
            <p role="status">
              {counted(imported.created, 'preset was', 'presets were')} made, {imported.replaced.toLocaleString()}{' '}
              replaced, {imported.skipped.toLocaleString()} left out.
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
