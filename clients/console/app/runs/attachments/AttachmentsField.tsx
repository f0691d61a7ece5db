/** Files for a new run: chosen, dropped or pasted. */

import { attachmentsMax } from '../../../../../spec/runs/attachmentLimit.ts'
import { format, locale, messages } from '../../messages.ts'
import { getErrorText } from '../../parts/notices/errorText.ts'
import type { AttachedFile, AttachmentsStore } from './attachmentsStore.ts'
import { addAttachments } from './uploadAttachment.ts'

const { files: texts } = messages.newRun

interface AttachmentsFieldProps {
  readonly files: readonly AttachedFile[]
  readonly store: AttachmentsStore
}

export function AttachmentsField({ files, store }: AttachmentsFieldProps) {
  return (
    <div class="field">
      <label for="field-files">
        {texts.label} <span class="hint">{format(texts.hint, { max: attachmentsMax })}</span>
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
        <ul class="attached-files" aria-label={texts.list}>
          {files.map(({ key, name, size, id, error }) => (
            <li key={key}>
              <span>{name}</span>{' '}
              <span class={error ? 'problem' : 'hint'} role="status">
                {error ? getErrorText(error) : id === undefined ? texts.uploading : formatSize(size)}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={format(texts.removeFile, { name })}
                onClick={() => store.trigger.removed({ key })}
              >
                {texts.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function formatSize(bytes: number): string {
  const [unit, divisor] = bytes < 1e3 ? ['byte', 1] : bytes < 1e6 ? ['kilobyte', 1e3] : ['megabyte', 1e6]
  const style = { style: 'unit', unit, unitDisplay: bytes < 1e3 ? 'long' : 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / Number(divisor))
}
