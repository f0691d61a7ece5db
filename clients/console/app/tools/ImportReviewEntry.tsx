/** One preset of a document: what the import does with it, and the decision for it. */
import { format, messages } from '../messages.ts'
import { getToolKey, type Preset } from './preset.ts'
import type { ImportDecision, ImportEntry, ImportProblem } from './presetImport.ts'

const texts = messages.tools.presetImport

interface ImportReviewEntryProps {
  readonly entry: ImportEntry
  readonly decision: ImportDecision | undefined
  /** The presets that it may replace. */
  readonly targets: readonly Preset[]
  readonly kind: string
  readonly errors: readonly ImportProblem[]
  readonly warnings: readonly ImportProblem[]
  onDecide(decision: ImportDecision): void
}

/** Texts that replace messages for programs. */
const problemTexts: Readonly<Record<string, string>> = { NAME_TAKEN: texts.nameTaken }

export function ImportReviewEntry({
  entry,
  decision,
  targets,
  kind,
  errors,
  warnings,
  onDecide,
}: ImportReviewEntryProps) {
  const { index, documentName, action, tools } = entry
  const availableCount = tools.filter((tool) => tool.found).length
  const selectAction = (value: string) => {
    const name = decision?.name === undefined ? {} : { name: decision.name }
    if (value === 'SKIP') onDecide({ index, action: 'SKIP' })
    else if (value === 'CREATE') onDecide({ index, action: 'CREATE', ...name })
    else onDecide({ index, action: 'REPLACE', targetId: value, ...name })
  }
  const rename = (value: string) => {
    // Enter has already submitted the name before the field loses the focus.
    if (value === (decision?.name ?? documentName)) return
    const { name: _, ...rest } = decision ?? ({ index, action: 'CREATE' } as const)
    onDecide(value.trim() === '' || value === documentName ? rest : { ...rest, name: value })
  }
  return (
    <li data-severity={errors.length > 0 ? 'CRITICAL' : undefined}>
      <h3 class="item-name">{documentName}</h3>
      <span class="hint">{kind}</span>
      <p>
        {errors.length > 0 ? texts.cannotImport : describeResult(entry, targets)}{' '}
        {action !== 'SKIP' && (
          <span class="hint">{format(texts.availableTools, { available: availableCount, total: tools.length })}</span>
        )}
      </p>
      {errors.map(({ path, code, message }) => (
        <p key={`${path} ${message}`} class="problem">
          <code>{path}</code> {problemTexts[code] ?? message}
        </p>
      ))}
      {warnings.map(({ path, message }) => (
        <p key={`${path} ${message}`} class="hint">
          <code>{path}</code> {message}
        </p>
      ))}
      <div class="tool-pair">
        <div class="field">
          <label for={`decision-${index}`}>{texts.action}</label>
          <select
            id={`decision-${index}`}
            value={action === 'REPLACE' ? (entry.targetId ?? decision?.targetId ?? '') : action}
            onChange={({ currentTarget }) => selectAction(currentTarget.value)}
          >
            <option value="CREATE">{texts.create}</option>
            {targets.map(({ id, name }) => (
              <option key={id} value={id}>
                {format(texts.replace, { name })}
              </option>
            ))}
            <option value="SKIP">{texts.skip}</option>
          </select>
        </div>
        {action !== 'SKIP' && (
          <div class="field">
            <label for={`name-${index}`}>{messages.tools.name}</label>
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

function describeResult({ action, name, targetId, tools }: ImportEntry, targets: readonly Preset[]): string {
  if (action === 'SKIP') return texts.willSkip
  const target = targets.find(({ id }) => id === targetId)
  if (action === 'CREATE' || target === undefined) return format(texts.willCreate, { name })
  const isSame = target.name === name && target.tools.map(getToolKey).join() === tools.map(getToolKey).join()
  return isSame ? format(texts.unchanged, { name: target.name }) : format(texts.willReplace, { name: target.name })
}
