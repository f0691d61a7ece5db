/** Files for a new run: chosen, dropped or pasted. */
import { attachmentsMax } from '../../../../../spec/runs/attachmentLimit.ts'
import type { AttachedFile, AttachmentsStore } from './attachmentsStore.ts'
import { addAttachments } from './uploadAttachment.ts'

interface AttachmentsFieldProps {
  readonly files: readonly AttachedFile[]
  readonly store: AttachmentsStore
}

export function AttachmentsField({ files, store }: AttachmentsFieldProps) {
  return (
    <div class="field">
      <label for="field-files">
        Files <span class="hint">at most {attachmentsMax}. You can also drop or paste them into the task.</span>
      </label>
      <input
        id="field-files"
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          addAttachments([...(currentTarget.files ?? [])], store)
          currentTarget.value = ''
        }}
      />
      {files.length > 0 && (
        <ul class="attached-files" aria-label="Files of the run">
          {files.map(({ key, name, size, id, error }) => (
            <li key={key}>
              <span>{name}</span>{' '}
              <span class={error ? 'problem' : 'hint'} role="status">
                {error ? error.message : id === undefined ? 'Uploading …' : formatSize(size)}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove: ${name}`}
                onClick={() => store.trigger.removed({ key })}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
