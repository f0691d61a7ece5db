/** The presets: their tools, and the actions that create, change, export and import them. */
import { presetKinds } from '../../../../spec/tools/presets/presetKinds.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { downloadFile } from '../parts/downloadFile.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { setFilters, useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useRequest } from '../state/requestStore.ts'
import { createSelectionStore } from '../state/selectionStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { PresetCard } from './PresetCard.tsx'
import { PresetDialog } from './PresetDialog.tsx'
import { type Preset, presetsQuery } from './preset.ts'
import { useToolCatalog } from './useToolCatalog.ts'

const texts = messages.tools.presets

const exportQuery = graphql('query ($ids: [ID!]!) { mcpToolPresetExport(ids: $ids) { filename contentType content } }')
const deleteMutation = graphql(`mutation ($id: ID!, $revision: Int) {
  deleteMcpToolPreset(input: { presetId: $id, expectedRevision: $revision }) { presetId }
}`)

/** A preset is kept as it was shown, so that its `revision` is the one that the person has seen. */
type OpenDialog =
  | { readonly dialog: 'new' | 'import' }
  | { readonly dialog: 'edit' | 'delete'; readonly preset: Preset }

export function Presets() {
  const { data, error, refresh } = useQuery(presetsQuery, {})
  useOnTransition('MCP_TOOL_PRESET', refresh)
  const { dialog: open, ...dialogs } = useDialog<OpenDialog>()
  const [{ ids: selectedIds }, { trigger }] = useLocalStore(createSelectionStore)
  const { error: exportError, send } = useRequest()
  const newButton = useFocusFallback<HTMLButtonElement>()
  const presets = data?.mcpToolPresets
  const usedServers = new Set(presets?.flatMap(({ tools }) => tools.map(({ serverId }) => serverId)))
  const catalog = useToolCatalog((id) => usedServers.has(id) || open?.dialog === 'new' || open?.dialog === 'edit')
  const { q = '' } = useFilters()
  const shown = presets?.filter((preset) => matchesSearch(preset, q.toLowerCase())) ?? []
  const selected = shown.filter(({ id }) => selectedIds.has(id))
  const exportPresets = (ids: readonly string[]) =>
    void send(
      requestGraphql(exportQuery, { ids }).then(({ mcpToolPresetExport: { filename, contentType, content } }) =>
        downloadFile(filename, contentType, content),
      ),
    )
  const close = () => {
    dialogs.close()
    refresh()
  }
  return (
    <>
      <div class="heading-row">
        <p class="lead">{texts.lead}</p>
        <div class="card-actions">
          <button ref={newButton} type="button" class="quiet" onClick={() => dialogs.open({ dialog: 'new' })}>
            {texts.newPreset}
          </button>
          <button type="button" class="quiet" onClick={() => dialogs.open({ dialog: 'import' })}>
            {texts.import}
          </button>
          <button
            type="button"
            class="quiet"
            disabled={shown.length === 0}
            onClick={() => exportPresets((selected.length > 0 ? selected : shown).map(({ id }) => id))}
          >
            {selected.length > 0
              ? format(texts.exportSelected, { count: selected.length })
              : format(texts.exportAll, { count: shown.length })}
          </button>
        </div>
      </div>
      <search class="filters">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={q}
          onInput={({ currentTarget }) => setFilters({ q: currentTarget.value })}
        />
      </search>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {exportError && <ErrorMessage error={exportError} />}
      {catalog.error && <ErrorMessage error={catalog.error} />}
      {presets === undefined && !error && <Loading />}
      {presets && shown.length === 0 && (
        <EmptyState title={presets.length === 0 ? texts.none : messages.parts.noMatches}>
          <p>{presets.length === 0 ? texts.noneHint : texts.noMatchesHint}</p>
        </EmptyState>
      )}
      {presetKinds.map((kind) => {
        const ofKind = shown.filter((preset) => preset.kind === kind)
        return ofKind.length === 0 ? null : (
          <section key={kind} class="group" aria-labelledby={`kind-${kind}`}>
            <h2 id={`kind-${kind}`}>
              {texts.kinds[kind]} <span class="count">{ofKind.length}</span>
            </h2>
            <ul class="cards presets">
              {ofKind.map((preset) => (
                <PresetCard
                  key={preset.id}
                  preset={preset}
                  catalog={catalog}
                  isSelected={selectedIds.has(preset.id)}
                  onSelect={() => trigger.toggled({ id: preset.id })}
                  onEdit={() => dialogs.open({ dialog: 'edit', preset })}
                  onExport={() => exportPresets([preset.id])}
                  onDelete={() => dialogs.open({ dialog: 'delete', preset })}
                />
              ))}
            </ul>
          </section>
        )
      })}
      {open?.dialog === 'new' && <PresetDialog catalog={catalog} onClose={close} />}
      {open?.dialog === 'edit' && <PresetDialog preset={open.preset} catalog={catalog} onClose={close} />}
      {open?.dialog === 'import' && <ImportDialog presets={presets ?? []} servers={catalog.servers} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={format(messages.tools.actionOn, { action: texts.delete, name: open.preset.name })}
          confirmLabel={texts.delete}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(deleteMutation, { id: open.preset.id, revision: open.preset.revision })
          }}
        >
          <p>
            {format(texts.deletedTools, { count: open.preset.tools.length })} {texts.deleteHint}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function matchesSearch({ id, name, tools }: Preset, searchText: string): boolean {
  return [id, name, ...tools.map((tool) => tool.name)].some((text) => text.toLowerCase().includes(searchText))
}
