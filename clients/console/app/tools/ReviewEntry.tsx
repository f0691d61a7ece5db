/** One preset of a document: what the import does with it, and the decision for it. */
import { keyOf, type Preset, type PresetKind } from './preset.ts'

export interface Decision {
  readonly index: number
  readonly action: 'CREATE' | 'REPLACE' | 'SKIP'
  readonly targetId?: string
  readonly name?: string
}

export interface Entry {
  readonly index: number
  readonly action: Decision['action']
  readonly documentName: string
  readonly name: string
  readonly kind: PresetKind
  readonly targetId: string | null
  readonly tools: readonly {
    readonly source: string
    readonly name: string
    readonly serverKey: string | null
    readonly serverId: string | null
    readonly found: boolean
  }[]
}

export interface Problem {
  readonly path: string
  readonly code: string
  readonly message: string
}

interface ReviewEntryProps {
  readonly entry: Entry
  readonly decision: Decision | undefined
  /** The presets that it may replace. */
  readonly targets: readonly Preset[]
  readonly kind: string
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
  decide(decision: Decision): void
}

/** Texts that replace messages for programs. */
const words: Readonly<Record<string, string>> = {
  NAME_TAKEN:
    'is the name of another preset of its kind, too: replace that one, give another name, or leave this one out.',
}

export function ReviewEntry({ entry, decision, targets, kind, errors, warnings, decide }: ReviewEntryProps) {
  const { index, documentName, action, tools } = entry
  const found = tools.filter((tool) => tool.found).length
  const choose = (value: string) => {
    const name = decision?.name === undefined ? {} : { name: decision.name }
    if (value === 'SKIP') decide({ index, action: 'SKIP' })
    else if (value === 'CREATE') decide({ index, action: 'CREATE', ...name })
    else decide({ index, action: 'REPLACE', targetId: value, ...name })
  }
  const rename = (value: string) => {
    // Enter has already submitted the name before the field loses the focus.
    if (value === (decision?.name ?? documentName)) return
    const { name: _, ...rest } = decision ?? ({ index, action: 'CREATE' } as const)
    decide(value.trim() === '' || value === documentName ? rest : { ...rest, name: value })
  }
  return (
    <li data-severity={errors.length > 0 ? 'CRITICAL' : undefined}>
      <h3 class="what">{documentName}</h3>
      <span class="hint">{kind.toLowerCase()}</span>
      <p>
        {errors.length > 0 ? 'Can’t be imported like this.' : fateOf(entry, targets)}{' '}
        {action !== 'SKIP' && (
          <span class="hint">
            Tools of it that are here: {found} of {tools.length}.
          </span>
        )}
      </p>
      {errors.map(({ path, code, message }) => (
        <p key={`${path} ${message}`} class="problem">
          <code>{path}</code> {words[code] ?? message}
        </p>
      ))}
      {warnings.map(({ path, message }) => (
        <p key={`${path} ${message}`} class="hint">
          <code>{path}</code> {message}
        </p>
      ))}
      <div class="tool-pair">
        <div class="field">
          <label for={`decision-${index}`}>What becomes of it</label>
          <select
            id={`decision-${index}`}
            value={action === 'REPLACE' ? (entry.targetId ?? decision?.targetId ?? '') : action}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            <option value="CREATE">It is made anew</option>
            {targets.map(({ id, name }) => (
              <option key={id} value={id}>
                It replaces {name}
              </option>
            ))}
            <option value="SKIP">It is left out</option>
          </select>
        </div>
        {action !== 'SKIP' && (
          <div class="field">
            <label for={`name-${index}`}>Its name here</label>
            <input
              id={`name-${index}`}
              autoComplete="off"
              maxLength={100}
              value={entry.name}
              onChange={({ currentTarget }) => rename(currentTarget.value)}
              // Enter starts a preview with this name. A preview with another name cannot be imported.
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                rename(event.currentTarget.value)
              }}
            />
          </div>
        )}
      </div>
    </li>
  )
}

function fateOf({ action, name, targetId, tools }: Entry, targets: readonly Preset[]): string {
  if (action === 'SKIP') return 'Is left out.'
  const target = targets.find(({ id }) => id === targetId)
  if (action === 'CREATE' || target === undefined) return `Is made as ${name}.`
  const same = target.name === name && target.tools.map(keyOf).join() === tools.map(keyOf).join()
  return same
    ? `Unchanged: ${target.name} is the same already, and gets another revision.`
    : `Changes ${target.name}, which keeps its ID.`
}
