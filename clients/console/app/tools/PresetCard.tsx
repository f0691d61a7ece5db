/** One preset: its tools, the tools among them that no longer exist, and its actions. */
import { counted } from '../parts/counted.ts'
import { Moment } from '../parts/Moment.tsx'
import { type Catalogue, standingOf } from './catalogue.ts'
import { keyOf, type Preset } from './preset.ts'

interface PresetCardProps {
  readonly preset: Preset
  readonly catalogue: Catalogue
  readonly chosen: boolean
  choose(): void
  change(): void
  takeAlong(): void
  remove(): void
}

/** The number of tools that are shown at first. */
const few = 12

export function PresetCard({ preset, catalogue, chosen, choose, change, takeAlong, remove }: PresetCardProps) {
  const { id, name, revision, updatedAt, tools } = preset
  const all = tools.map((tool) => ({ ...tool, ...standingOf(tool, catalogue) }))
  const gone = all.filter(({ is }) => is === 'gone')
  const unsure = new Set(all.filter(({ is }) => is === 'unsure').map(({ why }) => why))
  return (
    <li data-severity={gone.length > 0 ? 'HIGH' : undefined}>
      <input type="checkbox" aria-label={`Choose ${name}`} checked={chosen} onChange={choose} />
      <h3 class="what">{name}</h3>
      <span class="hint">
        revision {revision}, <Moment at={updatedAt} />
      </span>
      {gone.map((tool) => (
        <p key={keyOf(tool)} class="problem">
          <code>{tool.name}</code> leads nowhere: {tool.why}.
        </p>
      ))}
      {[...unsure].map((why) => (
        <p key={why} class="hint">
          Not all of it could be looked for: {why}.
        </p>
      ))}
      <details open={tools.length <= few}>
        <summary>{summed(tools)}</summary>
        <ul class="sparse">
          {all.map((tool) => (
            <li key={keyOf(tool)}>
              <code>{tool.name}</code>
              {tool.source === 'EXTERNAL' && (
                <span class="hint"> of {tool.serverName ?? 'a server that was removed'}</span>
              )}
            </li>
          ))}
        </ul>
        <p class="hint">
          AI clients find them at <code class="path">{`${location.origin}/api/mcp?preset=${id}`}</code>
        </p>
      </details>
      <div class="tool-does">
        <button type="button" class="quiet" aria-label={`Change: ${name}`} onClick={change}>
          Change
        </button>
        <button type="button" class="quiet" aria-label={`Export: ${name}`} onClick={takeAlong}>
          Export
        </button>
        <button type="button" class="quiet" aria-label={`Delete: ${name}`} onClick={remove}>
          Delete
        </button>
      </div>
    </li>
  )
}

function summed(tools: Preset['tools']): string {
  const external = tools.filter(({ source }) => source === 'EXTERNAL').length
  const own = tools.length - external
  const parts = [own > 0 && counted(own, 'built-in tool'), external > 0 && counted(external, 'external tool')]
  return parts.filter(Boolean).join(', ') || 'No tools'
}
