/** Edits the preparations of a repository. If another user has saved them meanwhile, nothing is changed. */
import { useState } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field, TextAreaField } from '../parts/forms/Field.tsx'

const { preparations: texts } = messages.repositories

const saveMutation = graphql(`mutation ($input: SaveCodebaseRepositoryPreparationsInput!) {
  saveCodebaseRepositoryPreparations(input: $input) { codebaseRepositoryPreparations { revision } }
}`)

interface Preparation {
  readonly name: string
  readonly command: string
}

export interface EditedPreparations {
  readonly revision: number
  readonly preparations: readonly Preparation[]
}

interface PreparationsDialogProps {
  readonly repositoryId: string
  readonly edited: EditedPreparations
  onSaved(): void
  onClose(): void
}

/** A row of the form. The key stays while rows before it are removed. */
interface FormRow extends Preparation {
  readonly key: number
}

export function PreparationsDialog({ repositoryId, edited, onSaved, onClose }: PreparationsDialogProps) {
  const [rows, setRows] = useState<readonly FormRow[]>(() =>
    (edited.preparations.length > 0 ? edited.preparations : [{ name: '', command: '' }]).map((preparation, key) => ({
      ...preparation,
      key,
    })),
  )
  const addRow = () =>
    setRows([...rows, { key: Math.max(0, ...rows.map(({ key }) => key + 1)), name: '', command: '' }])
  return (
    <ConfirmDialog
      title={texts.edit}
      confirmLabel={texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const preparations = rows.map(({ key }) => ({
          name: String(formData.get(`name-${key}`)).trim(),
          command: String(formData.get(`command-${key}`)),
        }))
        const input = { repository: { repositoryId }, preparations, expectedRevision: edited.revision }
        await requestGraphql(saveMutation, { input })
        onSaved()
      }}
    >
      {rows.map(({ key, name, command }, index) => {
        const number = index + 1
        const label = format(texts.nameOf, { number })
        return (
          <fieldset key={key} class="preparation">
            <Field name={`name-${key}`} label={label} value={name} maxLength={100} />
            <TextAreaField
              name={`command-${key}`}
              label={format(texts.commandOf, { number })}
              value={command}
              rows={2}
              isCode
            />
            <button
              type="button"
              class="quiet"
              aria-label={format(texts.remove, { name: label })}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            >
              {texts.removeButton}
            </button>
          </fieldset>
        )
      })}
      <button type="button" class="quiet" onClick={addRow}>
        {texts.add}
      </button>
    </ConfirmDialog>
  )
}
