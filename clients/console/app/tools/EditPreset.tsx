/** Creates or changes a preset: its name, its kind, and its tools. */
import { useState } from 'preact/hooks'
import { ask, Refusal } from '../data/ask.ts'
import { Asking } from '../parts/Asking.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { Choose } from './Choose.tsx'
import type { Catalogue } from './catalogue.ts'
import { keyOf, kindNames, kinds, type Preset, type PresetTool } from './preset.ts'

const made = 'mutation ($input: McpToolPresetInput!) { createMcpToolPreset(input: $input) { preset { id } } }'
const changed = 'mutation ($input: UpdateMcpToolPresetInput!) { updateMcpToolPreset(input: $input) { preset { id } } }'

const uses = Object.fromEntries(kinds.map((kind) => [kind, kindNames[kind].toLowerCase()]))

interface EditPresetProps {
  /** The preset as it was shown. Undefined for a new preset. */
  readonly preset?: Preset
  readonly catalogue: Catalogue
  close(): void
}

export function EditPreset({ preset, catalogue, close }: EditPresetProps) {
  const [tools, setTools] = useState<readonly PresetTool[]>(preset?.tools ?? [])
  return (
    <Asking
      title={preset === undefined ? 'Make a preset' : `Change: ${preset.name}`}
      yes={preset === undefined ? 'Make it' : 'Change it'}
      close={close}
      doIt={async (given) => {
        const [name, kind] = [String(given.get('name')), String(given.get('kind'))]
        const selections = tools.map(({ source, name, serverId }) => ({ source, name, serverId }))
        const same = tools.map(keyOf).join() === preset?.tools.map(keyOf).join()
        // Unchanged tools are not sent, so that a tool that no longer exists does not prevent a rename.
        const change = { name, kind, ...(same ? {} : { tools: selections }) }
        await (preset === undefined
          ? ask(made, { input: { ...change, tools: selections } })
          : ask(changed, { input: { ...change, presetId: preset.id, expectedRevision: preset.revision } })
        ).catch(nameTaken)
      }}
    >
      <div class="tool-pair">
        <Field name="name" label="Name" longest={100} value={preset?.name ?? ''} />
        <ChoiceField name="kind" label="Its tools are" choices={uses} value={preset?.kind ?? 'SESSION'} />
      </div>
      <Choose tools={tools} catalogue={catalogue} choose={setTools} />
    </Asking>
  )
}

/** A name that is taken is not a concurrent change, though the service has one code for both. */
function nameTaken(error: unknown): never {
  if (error instanceof Refusal && error.code === 'CONFLICT' && error.field === 'name')
    throw new Refusal('NAME_TAKEN', error.message)
  throw error
}
