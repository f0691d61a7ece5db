import * as v from 'valibot'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneOf } from '../../core/oneOf.ts'
import { mutation } from '../../core/operation.ts'
import { idOf, text } from '../../core/types.ts'
import { attachmentIds } from '../../runs/attachments.ts'
import { runPayload, timeoutSeconds } from '../../runs/newRuns.ts'
import { runConfiguration } from '../../runs/runConfiguration.ts'
import { mcpPresetIds } from '../../tools/toolGrants.ts'
import { argumentsByName } from '../arguments.ts'
import { commandName } from './content.ts'

const commandRef = oneOf('CommandRefInput', 'A command: exactly one of these.', {
  id: idOf('command'),
  name: v.pipe(
    commandName,
    v.description(
      'The name. A command of the worktree’s repository is preferred to one of the installation with the same name.',
    ),
  ),
})

export type CommandRef = v.InferOutput<typeof commandRef>

export const runCommand = mutation({
  name: 'runCommand',
  description: 'Runs a command on a worktree: it creates a session and its first run, as `createAgentRun` does.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Run a command',
    description:
      'Runs a command (a named template) on a worktree as the first run of a new session. `command` has its `name` or `id`, and ' +
      '`arguments` the values by name, as `get_command` lists them. The run is QUEUED until its worktree is free: follow it with ' +
      '`get_run`, `get_run_log` and `get_run_events`, and continue it with `create_run_follow_up`.',
  },
  input: v.object({
    command: commandRef,
    worktreeId: idOf('worktree'),
    arguments: v.pipe(
      v.nullish(argumentsByName),
      v.description('The values by the names of the arguments: `{ "branch": "main", "count": 3 }`. Default: none.'),
    ),
    title: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description('The title of the run and of its session. Default: the name of the command.'),
    ),
    cli: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description(
        'For a PROMPT: the name of a coding CLI on the agent’s machine, as `agentCliHealth` lists it. Default: the first one of the machine.',
      ),
    ),
    configuration: v.nullish(runConfiguration),
    timeoutSeconds,
    mcpPresetIds,
    attachmentIds,
    idempotencyKey,
  }),
  output: runPayload('RunCommandPayload'),
})
