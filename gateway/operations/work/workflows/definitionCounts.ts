/** The sizes of the lists in the definition of a workflow. Most have far fewer steps and values than are allowed. */
import type { WorkflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import type { ListCounts } from '../../handler.ts'

export function countDefinition({ inputs, outputs, steps }: WorkflowDefinition): ListCounts {
  const count = steps.length
  const sum = (list: (step: (typeof steps)[number]) => readonly unknown[] | undefined): ListCounts => ({
    items: steps.reduce((total, step) => total + (list(step)?.length ?? 0), 0),
  })
  // The number of the objects around a list is `items`, too: the list weighs its average there.
  const action: ListCounts = {
    items: count,
    lists: {
      command: { items: count, lists: { env: sum((step) => step.action.command?.env) } },
      workflow: { items: count, lists: { inputs: sum((step) => step.action.workflow?.inputs) } },
    },
  }
  return {
    lists: {
      inputs: { items: inputs.length },
      outputs: { items: outputs.length },
      steps: { items: count, lists: { action } },
    },
  }
}
