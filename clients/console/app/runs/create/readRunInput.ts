/** Converts the form of a new run to the input of `createAgentRun`. */
import type { CreateRunInput, RunDraft } from './runDraft.ts'

/** Fields that are left empty get the defaults of the server. A command has no coding CLI, and so none of its fields. */
export function readRunInput(
  formData: FormData,
  taskType: RunDraft['taskType'],
  attachmentIds: readonly string[],
): Omit<CreateRunInput, 'worktreeId'> {
  const read = (name: string) => String(formData.get(name) ?? '').trim()
  const readNumber = (name: string) => (read(name) === '' ? undefined : Number(read(name)))
  const limit = readNumber('configuration.worktreeConcurrencyLimit')
  const minutes = readNumber('timeoutMinutes')
  const common = {
    ...(read('title') === '' ? {} : { title: read('title') }),
    ...(minutes === undefined ? {} : { timeoutSeconds: Math.round(minutes * 60) }),
  }
  const limited = limit === undefined ? {} : { worktreeConcurrencyLimit: limit }
  if (taskType === 'command')
    return { ...common, kind: 'SESSION', task: { command: read('task.command') }, configuration: limited }
  const [cli, model, mode] = [read('cli'), read('configuration.model'), read('configuration.mode')]
  return {
    ...common,
    kind: read('kind') === 'PLAN' ? 'PLAN' : 'SESSION',
    task: { prompt: read('task.prompt') },
    ...(cli === '' ? {} : { cli }),
    configuration: {
      ...limited,
      ...(model === '' ? {} : { model }),
      ...(mode === '' ? {} : { mode }),
      permissionPolicy: read('permissionPolicy') as RunDraft['permissionPolicy'],
    },
    mcpPresetIds: formData.getAll('preset').map(String),
    attachmentIds: [...attachmentIds],
  }
}
