import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import type { Json } from '../../../spec/core/actor.ts'
import { runTask } from '../../../spec/runs/runTask.ts'
import type { Relations } from '../objectType.ts'
import { specText } from './runSpec.ts'

/** Loaded apart from the run, because a prompt may be long. */
export const taskOfRun = {
  type: 'derived',
  output: runTask,
  nullable: true,
  description: 'The task of the run. Null for the run of a workflow, whose steps have tasks of their own.',
  load: async (parents, { views }) => {
    const ids = parents.map(({ id }) => String(id))
    const rows = await views.getMany('run', ids)
    return ids.map((id) => toTask(rows.get(id)))
  },
} as const satisfies Relations[string]

function toTask(row: TypedRow<'run'> | undefined): v.InferInput<typeof runTask> | null {
  if (row === undefined || row.init.kind === 'WORKFLOW') return null
  const { spec, timeoutSeconds } = row.init
  const command = readCommand(spec)
  return { prompt: command === null ? (specText(spec, 'prompt') ?? '') : null, command, timeoutSeconds }
}

/** The command of a session is the only step of its job. */
function readCommand(spec: Json): string | null {
  const steps = typeof spec === 'object' && spec !== null && 'steps' in spec ? spec.steps : undefined
  const [step] = Array.isArray(steps) ? steps : []
  return typeof step === 'object' && step !== null && typeof step.command === 'string' ? step.command : null
}
