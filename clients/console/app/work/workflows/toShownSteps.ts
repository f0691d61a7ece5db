/** The steps of a definition as the graph shows them, with the needs that are left out. */
import { messages } from '../../messages.ts'
import type { ShownStep } from './StepGraph.tsx'
import { getActionName, type StepInput } from './workflowInput.ts'

const texts = messages.workflows.form.kinds

export function toShownSteps(steps: readonly StepInput[]): readonly ShownStep[] {
  return steps.map(({ name, title, needs, action }, index) => {
    const before = steps[index - 1]
    return {
      name,
      title: title ?? (name === '' ? String(index + 1) : name),
      kind: texts[getActionName(action)],
      needs: needs ?? (before === undefined ? [] : [before.name]),
    }
  })
}
