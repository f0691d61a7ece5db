/** The presets: their tools, and the actions that create, change, export and import them. */
import { useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Asking } from '../parts/Asking.tsx'
import { counted } from '../parts/counted.ts'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { save } from '../parts/save.ts'
import { useHeld } from '../parts/useHeld.ts'
import { filters, setFilters } from '../router.ts'
import { useCatalogue } from './catalogue.ts'
import { EditPreset } from './EditPreset.tsx'
import { Import } from './Import.tsx'
import { PresetCard } from './PresetCard.tsx'
import { kindNames, kinds, type Preset } from './preset.ts'

const query = `{ mcpToolPresets { id name kind revision updatedAt tools { source name serverId serverName } } }`
const exported = 'query ($ids: [ID!]!) { mcpToolPresetExport(ids: $ids) { filename contentType content } }'
const deleted = `mutation ($id: ID!, $revision: Int) {
  deleteMcpToolPreset(input: { presetId: $id, expectedRevision: $revision }) { presetId }
}`

interface File {
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

type Open =
  | { readonly what: 'make' | 'import' }
  | { readonly what: 'change' | 'delete' /** The preset as it was shown. */; readonly preset: Preset }

export function Presets() {
  const { data, refusal, refresh } = useQuery<{ mcpToolPresets: readonly Preset[] }>(query)
  useSteps('MCP_TOOL_PRESET', refresh)
  const [open, setOpen] = useState<Open>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<Refusal>()
  const make = useHeld<HTMLButtonElement>()
  const presets = data?.mcpToolPresets
  const used = new Set(presets?.flatMap(({ tools }) => tools.map(({ serverId }) => serverId)))
  const catalogue = useCatalogue((id) => used.has(id) || open?.what === 'make' || open?.what === 'change')
  const { q = '' } = filters.value
  const shown = presets?.filter((preset) => says(preset, q.toLowerCase())) ?? []
  const selected = shown.filter(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const takeAlong = (ids: readonly string[]) => {
    setFailed(undefined)
    ask<{ mcpToolPresetExport: File }>(exported, { ids }).then(
      ({ mcpToolPresetExport: { filename, contentType, content } }) => save(filename, contentType, content),
      (error: unknown) => setFailed(refusalOf(error)),
    )
  }
  const close = () => {
    setOpen(undefined)
    refresh()
  }
  return (
    <>
      <div class="top">
        <p class="lead">A choice of tools under a name: what an AI client is shown, and what a run is given.</p>
        <div class="tool-does">
          <button ref={make} type="button" class="quiet" onClick={() => setOpen({ what: 'make' })}>
            Make a preset
          </button>
          <button type="button" class="quiet" onClick={() => setOpen({ what: 'import' })}>
            Import
          </button>
          <button
            type="button"
            class="quiet"
            disabled={shown.length === 0}
            onClick={() => takeAlong((selected.length > 0 ? selected : shown).map(({ id }) => id))}
          >
            {selected.length > 0 ? `Export ${selected.length} chosen` : `Export all ${shown.length}`}
          </button>
        </div>
      </div>
      <search class="filters">
        <input
          type="search"
          aria-label="Name, tool or ID"
          placeholder="Name, tool or ID"
          value={q}
          onInput={({ currentTarget }) => setFilters({ q: currentTarget.value })}
        />
      </search>
      {refusal && <Refused refusal={refusal} byItself />}
      {failed && <Refused refusal={failed} />}
      {catalogue.refusal && <Refused refusal={catalogue.refusal} />}
      {presets === undefined && !refusal && <Loading what="the presets" />}
      {presets && shown.length === 0 && (
        <Empty title={presets.length === 0 ? 'No preset yet' : 'None like that'}>
          <p>
            {presets.length === 0
              ? 'Make one, or import a document. Without a preset a run has no tools.'
              : 'Change what is looked for, or look at all of them.'}
          </p>
        </Empty>
      )}
      {kinds.map((kind) => {
        const own = shown.filter((preset) => preset.kind === kind)
        return own.length === 0 ? null : (
          <section key={kind} class="group" aria-labelledby={`kind-${kind}`}>
            <h2 id={`kind-${kind}`}>
              {kindNames[kind]} <span class="count">{own.length}</span>
            </h2>
            <ul class="cards presets">
              {own.map((preset) => (
                <PresetCard
                  key={preset.id}
                  preset={preset}
                  catalogue={catalogue}
                  chosen={chosen.has(preset.id)}
                  choose={() => toggle(preset.id)}
                  change={() => setOpen({ what: 'change', preset })}
                  takeAlong={() => takeAlong([preset.id])}
                  remove={() => setOpen({ what: 'delete', preset })}
                />
              ))}
            </ul>
          </section>
        )
      })}
      {open?.what === 'make' && <EditPreset catalogue={catalogue} close={close} />}
      {open?.what === 'change' && <EditPreset preset={open.preset} catalogue={catalogue} close={close} />}
      {open?.what === 'import' && <Import presets={presets ?? []} servers={catalogue.servers} close={close} />}
      {open?.what === 'delete' && (
        <Asking
          title={`Delete: ${open.preset.name}`}
          yes="Delete"
          close={close}
          doIt={() => ask(deleted, { id: open.preset.id, revision: open.preset.revision })}
        >
          <p>
            It holds {counted(open.preset.tools.length, 'tool')}. Clients that are connected with it get no tools any
            more; runs that there are keep theirs. An export keeps a copy.
          </p>
        </Asking>
      )}
    </>
  )
}

function says({ id, name, tools }: Preset, words: string): boolean {
  return [id, name, ...tools.map((tool) => tool.name)].some((one) => one.toLowerCase().includes(words))
}
