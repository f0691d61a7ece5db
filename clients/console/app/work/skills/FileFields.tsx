/** The files of a skill in the form: texts are edited, and other files are kept, replaced or removed. */
import { useRef, useState } from 'preact/hooks'
import {
  skillBytesMax,
  skillFileBytesMax,
  skillFilesMax,
  skillPathBytesMax,
} from '../../../../../spec/work/skills/skillLimits.ts'
import { skillManifest } from '../../../../../spec/work/skills/skillPath.ts'
import { format, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { Field, TextAreaField } from '../../parts/forms/Field.tsx'
import { Markdown } from '../../runs/transcript/Markdown.tsx'
import { ProblemOfGroup } from '../workflows/ProblemOfGroup.tsx'
import type { FormRow, RowsStore } from '../workflows/rowsStore.ts'
import { getInstructions } from './manifest.ts'
import { type EditedFile, readPath, readUploadedFile } from './readSkillForm.ts'

const texts = messages.skills

interface FileFieldsProps {
  readonly rows: readonly FormRow<EditedFile>[]
  readonly store: RowsStore<EditedFile>
}

export function FileFields({ rows, store: { trigger } }: FileFieldsProps) {
  const fields = useRef<HTMLFieldSetElement>(null)
  const addUploaded = async (list: FileList | null) => {
    const added = await Promise.all([...(list ?? [])].map(readUploadedFile))
    const form = fields.current?.form
    const formData = form ? new FormData(form) : new FormData()
    const paths = new Set(added.map(({ path }) => path))
    for (const [index, { key }] of rows.entries()) if (paths.has(readPath(formData, index))) trigger.removed({ key })
    for (const value of added) trigger.added({ value })
  }
  return (
    <fieldset ref={fields} class="form-rows" id="field-files" name="files" tabIndex={-1}>
      <legend>{texts.files}</legend>
      {rows.map(({ key, value }, index) => (
        <FileRow key={key} file={value} index={index} onRemove={() => trigger.removed({ key })} />
      ))}
      <ProblemOfGroup name="files" />
      <button
        type="button"
        class="quiet"
        onClick={() => trigger.added({ value: { path: '', text: '', base64: null, size: 0, executable: false } })}
      >
        {texts.addFile}
      </button>
      <div class="field">
        <label for="uploaded-files">{texts.upload}</label>
        <input
          id="uploaded-files"
          type="file"
          multiple
          aria-describedby="uploaded-files-hint"
          onChange={({ currentTarget }) => {
            // Afterwards the same file can be chosen again.
            void addUploaded(currentTarget.files).then(() => (currentTarget.value = ''))
          }}
        />
        <p id="uploaded-files-hint" class="hint">
          {format(texts.uploadHint, {
            count: skillFilesMax,
            fileSize: formatBytes(skillFileBytesMax),
            size: formatBytes(skillBytesMax),
          })}
        </p>
      </div>
    </fieldset>
  )
}

interface FileRowProps {
  readonly file: EditedFile
  readonly index: number
  onRemove(): void
}

function FileRow({ file, index, onRemove }: FileRowProps) {
  const number = index + 1
  const [text, setText] = useState(file.text ?? '')
  const [isPreviewed, setIsPreviewed] = useState(false)
  const isManifest = file.path === skillManifest
  const isMarkdown = isManifest || /\.(md|markdown)$/i.test(file.path)
  return (
    <fieldset class="workflow-step skill-file">
      <legend>{isManifest ? skillManifest : format(texts.file.title, { number })}</legend>
      {isManifest ? (
        <input type="hidden" name={`files.${index}.path`} value={skillManifest} />
      ) : (
        <div class="form-row">
          <Field
            name={`files.${index}.path`}
            label={texts.file.path}
            value={file.path}
            maxLength={skillPathBytesMax}
            placeholder="scripts/check.sh"
          />
          <label class="check">
            <input type="checkbox" name={`files.${index}.executable`} value="true" defaultChecked={file.executable} />
            {texts.file.executable}
          </label>
          <button
            type="button"
            class="quiet"
            aria-label={format(texts.file.removeNumber, { number })}
            onClick={onRemove}
          >
            {texts.file.remove}
          </button>
        </div>
      )}
      {file.base64 === null ? (
        <div
          onInput={({ target }) => {
            if (target instanceof HTMLTextAreaElement) setText(target.value)
          }}
        >
          <TextAreaField
            name={`files.${index}.content`}
            label={texts.file.content}
            {...(isManifest ? { hint: texts.file.manifestHint } : {})}
            value={file.text ?? ''}
            rows={isManifest ? 16 : 8}
            isCode
            isOptional={!isManifest}
          />
        </div>
      ) : (
        <p class="hint">{format(texts.file.binary, { size: formatBytes(file.size) })}</p>
      )}
      {isMarkdown && (
        <details class="disclosure" onToggle={({ currentTarget }) => setIsPreviewed(currentTarget.open)}>
          <summary>{texts.file.preview}</summary>
          {isPreviewed && (
            <div class="skill-text">
              <Markdown text={getInstructions(text)} />
            </div>
          )}
        </details>
      )}
    </fieldset>
  )
}
