/** The task of a run as it was requested: a prompt for a coding CLI, or a command of the shell. */
import * as v from 'valibot'
import { int, named } from '../core/types.ts'

export const runTask = named(
  'RunTask',
  'The task of a run. Exactly one of `prompt` and `command` is set.',
  v.object({
    prompt: v.pipe(v.nullable(v.string()), v.description('The task for the coding CLI.')),
    command: v.pipe(v.nullable(v.string()), v.description('The command that the shell runs in the worktree.')),
    timeoutSeconds: v.pipe(
      int,
      v.description(
        'The time limit in seconds, after which the run is TIMED_OUT. It does not count while the run is paused or waits for an answer.',
      ),
    ),
  }),
)
