/** One preset: its tools, the tools among them that no longer exist, and its actions. */
import { format, formatParts, messages } from '../messages.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getToolKey, type Preset } from './preset.ts'
import { checkAvailability, type ToolCatalog } from './useToolCatalog.ts'

const texts = messages.tools.presets
const { edit, delete: deleteText, actionOn, ofServer } = messages.tools

interface PresetCardProps {
  readonly preset: Preset
  readonly catalog: ToolCatalog
  readonly isSelected: boolean
  onSelect(): void
  onEdit(): void
  onExport(): void
  onDelete(): void
}

/** The number of tools that are shown at first. */
const maxOpenTools = 12

export function PresetCard({ preset, catalog, isSelected, onSelect, onEdit, onExport, onDelete }: PresetCardProps) {
  const { id, name, revision, updatedAt, tools } = preset
  const checkedTools = tools.map((tool) => ({ ...tool, ...checkAvailability(tool, catalog) }))
  const removed = checkedTools.filter(({ status }) => status === 'removed')
  const uncheckedReasons = new Set(
    checkedTools.filter(({ status }) => status === 'unknown').map(({ reason }) => reason),
  )
  return (
    <li data-severity={removed.length > 0 ? 'HIGH' : undefined}>
      <input type="checkbox" aria-label={format(texts.select, { name })} checked={isSelected} onChange={onSelect} />
      <h3 class="item-name">{name}</h3>
      <span class="hint">{formatParts(texts.revision, { revision, time: <RelativeTime at={updatedAt} /> })}</span>
      {removed.map((tool) => (
        <p key={getToolKey(tool)} class="problem">
          {formatParts(texts.missing, { tool: <code>{tool.name}</code>, reason: tool.reason })}
        </p>
      ))}
      {[...uncheckedReasons].map((reason) => (
        <p key={reason} class="hint">
          {format(texts.notChecked, { reason })}
        </p>
      ))}
      <details open={tools.length <= maxOpenTools}>
        <summary>{summarizeTools(tools)}</summary>
        <ul class="inline-list">
          {checkedTools.map((tool) => (
            <li key={getToolKey(tool)}>
              <code>{tool.name}</code>
              {tool.source === 'EXTERNAL' && (
                <span class="hint">
                  {' '}
                  {tool.serverName === null ? texts.ofRemovedServer : format(ofServer, { server: tool.serverName })}
                </span>
              )}
            </li>
          ))}
        </ul>
        <p class="hint">
          {formatParts(texts.address, {
            address: <code class="path">{`${location.origin}/api/mcp?preset=${id}`}</code>,
          })}
        </p>
      </details>
      <div class="card-actions">
        <button type="button" class="quiet" aria-label={format(actionOn, { action: edit, name })} onClick={onEdit}>
          {edit}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={format(actionOn, { action: texts.export, name })}
          onClick={onExport}
        >
          {texts.export}
        </button>
        <button
          type="button"
          class="danger"
          aria-label={format(actionOn, { action: deleteText, name })}
          onClick={onDelete}
        >
          {deleteText}
        </button>
      </div>
    </li>
  )
}

function summarizeTools(tools: Preset['tools']): string {
  const external = tools.filter(({ source }) => source === 'EXTERNAL').length
  const builtIn = tools.length - external
  if (tools.length === 0) return texts.noTools
  const builtInText = format(texts.builtInTools, { count: builtIn })
  const externalText = format(texts.externalTools, { count: external })
  if (external === 0) return builtInText
  return builtIn === 0 ? externalText : format(texts.bothTools, { builtIn: builtInText, external: externalText })
}
