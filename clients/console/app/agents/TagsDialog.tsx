/** Changes the tags of a machine. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { Field } from '../parts/forms/Field.tsx'

const texts = messages.machines.tags

const setTagsMutation = graphql(
  'mutation ($input: SetAgentTagsInput!) { setAgentTags(input: $input) { agent { id tags revision } } }',
)

interface TagsDialogProps {
  readonly agent: {
    readonly id: string
    readonly name: string
    readonly tags: readonly string[]
    readonly revision: number
  }
  onClose(): void
}

export function TagsDialog({ agent: { id, name, tags, revision }, onClose }: TagsDialogProps) {
  return (
    <ConfirmDialog
      title={`${texts.edit}: ${name}`}
      confirmLabel={texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const input = { agentId: id, tags: readTags(String(formData.get('tags') ?? '')), expectedRevision: revision }
        await requestGraphql(setTagsMutation, { input })
      }}
    >
      <p>{texts.description}</p>
      <Field name="tags" label={texts.label} hint={texts.hint} value={tags.join(', ')} isOptional />
    </ConfirmDialog>
  )
}

function readTags(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
