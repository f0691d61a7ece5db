import type { PresetDocument } from './document.ts'
import type { ImportDecision } from './importInput.ts'
import type { PlannedPreset, PlanProblem } from './plan.ts'
import type { Preset } from './preset.ts'

export type DecidedPreset = Omit<PlannedPreset, 'tools'> & {
  /** The path in the input that its name comes from. */
  readonly namePath: string
}

export function decideImport(
  document: PresetDocument,
  decisions: readonly ImportDecision[],
  present: readonly Preset[],
) {
  const problems: PlanProblem[] = []
  const warnings: PlanProblem[] = []
  const byIndex = new Map<number, { readonly decision: ImportDecision; readonly path: string }>()
  for (const [at, decision] of decisions.entries()) {
    const path = `decisions[${at}]`
    const { index } = decision
    if (index >= document.presets.length) {
      const message = `must be the index of one of the ${document.presets.length} presets of the document.`
      problems.push({ path: `${path}.index`, code: 'UNKNOWN_INDEX', message })
    } else if (byIndex.has(index)) {
      const message = `already has the decision ${byIndex.get(index)?.path}.`
      problems.push({ path: `${path}.index`, code: 'DUPLICATE_DECISION', message })
    } else byIndex.set(index, { decision, path })
  }
  const targets = new Map(present.map((preset) => [preset.id, preset]))
  const taken = new Map<string, string>()
  const presets = document.presets.map(({ name: documentName, kind }, index): DecidedPreset => {
    const place = `document.presets[${index}]`
    const decided = byIndex.get(index)
    if (decided === undefined) {
      const action = 'CREATE' as const
      return { index, action, documentName, name: documentName, kind, target: undefined, namePath: `${place}.name` }
    }
    const { decision, path } = decided
    const { action, targetId } = decision
    const name = decision.name ?? documentName
    const namePath = decision.name ? `${path}.name` : `${place}.name`
    const wrong = (part: string, code: PlanProblem['code'], message: string): undefined => {
      problems.push({ path: `${path}.${part}`, code, message })
    }
    const targetOf = (id: string | null | undefined): Preset | undefined => {
      if (!id)
        return wrong(
          'targetId',
          'TARGET_REQUIRED',
          'must be given with REPLACE: the ID of the preset that is replaced.',
        )
      const found = targets.get(id)
      if (found === undefined) return wrong('targetId', 'TARGET_NOT_FOUND', 'must be the ID of an existing preset.')
      if (found.kind !== kind)
        return wrong(
          'targetId',
          'KIND_MISMATCH',
          `must be a ${kind} preset like the document’s, but it is a ${found.kind} preset.`,
        )
      const other = taken.get(id)
      if (other !== undefined) return wrong('targetId', 'TARGET_TAKEN', `is already the target of ${other}.`)
      taken.set(id, path)
      return found
    }
    if (action === 'SKIP' && decision.name) wrong('name', 'NAME_NOT_ALLOWED', 'must be omitted with SKIP.')
    if (action !== 'REPLACE' && targetId)
      wrong('targetId', 'TARGET_NOT_ALLOWED', `must be omitted with ${action}: only REPLACE has a target.`)
    const target = action === 'REPLACE' ? targetOf(targetId) : undefined
    if (target !== undefined && target.name !== name) {
      const message = `renames the preset “${target.name}” (${target.id}) to “${name}”.`
      warnings.push({ path: namePath, code: 'RENAMES_TARGET', message })
    }
    return { index, action, documentName, name, kind, target, namePath }
  })
  return { presets, problems, warnings }
}
