/** One preset: its tools, the tools among them that no longer exist, and its actions. */
import { formatCount } from '../parts/formatCount.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getToolKey, type Preset } from './preset.ts'
import { checkAvailability, type ToolCatalog } from './useToolCatalog.ts'

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
      <input type="checkbox" aria-label={`Select ${name}`} checked={isSelected} onChange={onSelect} />
      <h3 class="item-name">{name}</h3>
      <span class="hint">
        revision {revision}, <RelativeTime at={updatedAt} />
      </span>
      {removed.map((tool) => (
        <p key={getToolKey(tool)} class="problem">
          <code>{tool.name}</code> is missing: {tool.reason}.
        </p>
      ))}
      {[...uncheckedReasons].map((reason) => (
        <p key={reason} class="hint">
          Some tools could not be checked: {reason}.
        </p>
      ))}
      <details open={tools.length <= maxOpenTools}>
        <summary>{summarizeTools(tools)}</summary>
        <ul class="inline-list">
          {checkedTools.map((tool) => (
            <li key={getToolKey(tool)}>
              <code>{tool.name}</code>
              {tool.source === 'EXTERNAL' && (
                <span class="hint"> of {tool.serverName ?? 'a server that was removed'}</span>
              )}
            </li>
          ))}
        </ul>
        <p class="hint">
          Address for AI clients: <code class="path">{`${location.origin}/api/mcp?preset=${id}`}</code>
        </p>
      </details>
      <div class="card-actions">
        <button type="button" class="quiet" aria-label={`Edit: ${name}`} onClick={onEdit}>
          Edit
        </button>
        <button type="button" class="quiet" aria-label={`Export: ${name}`} onClick={onExport}>
          Export
        </button>
        <button type="button" class="quiet" aria-label={`Delete: ${name}`} onClick={onDelete}>
          Delete
        </button>
      </div>
    </li>
  )
}

function summarizeTools(tools: Preset['tools']): string {
  const external = tools.filter(({ source }) => source === 'EXTERNAL').length
  const builtIn = tools.length - external
  const parts = [
    builtIn > 0 && formatCount(builtIn, 'built-in tool'),
    external > 0 && formatCount(external, 'external tool'),
  ]
  return parts.filter(Boolean).join(', ') || 'No tools'
}
