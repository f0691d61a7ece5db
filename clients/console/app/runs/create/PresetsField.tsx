/** The presets whose tools a new run gets. */
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { type Preset, presetsQuery } from '../../tools/preset.ts'

const { options: texts } = messages.newRun

interface PresetsFieldProps {
  /** The kind of the run. Each preset is for one kind. */
  readonly kind: Preset['kind']
  readonly selectedIds: readonly string[]
}

export function PresetsField({ kind, selectedIds }: PresetsFieldProps) {
  const { data } = useQuery(presetsQuery, {})
  const presets = data?.mcpToolPresets.filter((preset) => preset.kind === kind) ?? []
  return (
    <fieldset class="checks">
      <legend>{texts.tools}</legend>
      {presets.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" name="preset" value={id} defaultChecked={selectedIds.includes(id)} /> {name}
        </label>
      ))}
      <p class="hint">{presets.length === 0 && data ? texts.noPresets : texts.presetsHint}</p>
    </fieldset>
  )
}
