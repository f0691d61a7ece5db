/** Creates or changes a preset: its name, its kind, and its tools. */
import { useState } from 'preact/hooks'
import { presetKinds } from '../../../../spec/tools/presets/presetKinds.ts'
import { ApiError } from '../data/apiError.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { getToolKey, type Preset, type PresetTool } from './preset.ts'
import { ToolSelection } from './ToolSelection.tsx'
import type { ToolCatalog } from './useToolCatalog.ts'

const texts = messages.tools.presets
const { name: nameLabel, edit, actionOn } = messages.tools

const createMutation = graphql(
  'mutation ($input: McpToolPresetInput!) { createMcpToolPreset(input: $input) { preset { id } } }',
)
const updateMutation = graphql(
  'mutation ($input: UpdateMcpToolPresetInput!) { updateMcpToolPreset(input: $input) { preset { id } } }',
)

const keys = createRepeatKeys()

const kindChoices = Object.fromEntries(presetKinds.map((kind) => [kind, texts.kinds[kind]]))

interface PresetDialogProps {
  /** The preset as it was shown. Undefined for a new preset. */
  readonly preset?: Preset
  readonly catalog: ToolCatalog
  onClose(): void
}

export function PresetDialog({ preset, catalog, onClose }: PresetDialogProps) {
  const [tools, setTools] = useState<readonly PresetTool[]>(preset?.tools ?? [])
  return (
    <ConfirmDialog
      title={preset === undefined ? texts.newPreset : format(actionOn, { action: edit, name: preset.name })}
      confirmLabel={preset === undefined ? texts.create : texts.save}
      onClose={onClose}
      onConfirm={async (formData) => {
        const name = String(formData.get('name'))
        const kind = formData.get('kind') as Preset['kind']
        const selections = tools.map((tool) => ({ source: tool.source, name: tool.name, serverId: tool.serverId }))
        const isUnchanged = tools.map(getToolKey).join() === preset?.tools.map(getToolKey).join()
        // Unchanged tools are not sent, so that a tool that no longer exists does not prevent a rename.
        const change = { name, kind, ...(isUnchanged ? {} : { tools: selections }) }
        await (preset === undefined
          ? keys.send({ ...change, tools: selections }, (idempotencyKey) =>
              requestGraphql(createMutation, { input: { ...change, tools: selections, idempotencyKey } }),
            )
          : requestGraphql(updateMutation, {
              input: { ...change, presetId: preset.id, expectedRevision: preset.revision },
            })
        ).catch(rethrowNameTaken)
      }}
    >
      <div class="tool-pair">
        <Field name="name" label={nameLabel} maxLength={100} value={preset?.name ?? ''} />
        <ChoiceField name="kind" label={texts.usedBy} choices={kindChoices} value={preset?.kind ?? 'SESSION'} />
      </div>
      <ToolSelection tools={tools} catalog={catalog} onChange={setTools} />
    </ConfirmDialog>
  )
}

/** A name that is taken is not a concurrent change, though the server answers CONFLICT for both. */
function rethrowNameTaken(cause: unknown): never {
  if (cause instanceof ApiError && cause.code === 'CONFLICT' && cause.field === 'name')
    throw new ApiError('NAME_TAKEN', cause.message)
  throw cause
}
