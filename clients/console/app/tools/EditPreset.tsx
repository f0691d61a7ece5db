/** A preset is made or changed: its name, what its tools are for, and which they are. */
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
  /** As it was looked at; undefined where one is made. */
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
        // Tools that stay as they were are not sent: what leads nowhere by now keeps nobody from giving another name.
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

/** A name that another has is no change that somebody else made meanwhile, though the service has one code for both. */
function nameTaken(error: unknown): never {
  if (error instanceof Refusal && error.code === 'CONFLICT' && error.field === 'name')
    throw new Refusal('NAME_TAKEN', error.message)
  throw error
}
