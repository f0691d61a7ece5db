/** The conditions of a run's admission, and the options of its coding CLI. */
import * as v from 'valibot'
import { atMost, int, named, text } from '../core/types.ts'
import { concurrencyLimit } from '../worktrees/concurrencyLimit.ts'
import { toolCallKind } from './conversation.ts'

export const permissionPolicy = named(
  'PermissionPolicy',
  'The answer to permission requests of the coding CLI. ASK: a person answers. ALLOW_EDITS: changes of files (EDIT, DELETE, MOVE), and tools that only read (READ, SEARCH, THINK), are allowed, and a person answers the other requests. ALLOW_ALL: all are allowed. DENY: all are rejected.',
  v.picklist(['ASK', 'ALLOW_EDITS', 'ALLOW_ALL', 'DENY']),
)

const permissionDecision = named(
  'PermissionDecision',
  'The answer to permission requests of one kind of tool. ASK: a person answers.',
  v.picklist(['ASK', 'ALLOW', 'DENY']),
)

const rule = { kind: toolCallKind, decision: permissionDecision }
/** There are not more kinds of tools. */
const rulesMax = 10

const aboutModel = 'The model of the coding CLI, by the ID or the name with which the CLI offers it.'
const aboutMode = 'The session mode of the coding CLI, by ID or name, for example `acceptEdits`.'

export const runConfiguration = named(
  'RunConfigurationInput',
  'The conditions under which a run is admitted to its worktree, and the options of its coding CLI.',
  v.object({
    worktreeConcurrencyLimit: v.pipe(
      v.nullish(concurrencyLimit),
      v.description(
        'The maximum number of runs of this kind on the worktree at the same time. 0: no limit. Default: 0 for plans, 1 for sessions.',
      ),
    ),
    model: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description(
        `${aboutModel} The run fails with MODEL_UNAVAILABLE if the CLI does not offer it. Default: that of the CLI.`,
      ),
    ),
    mode: v.pipe(
      v.nullish(text({ min: 1, max: 200 })),
      v.description(
        `${aboutMode} The run fails with MODE_UNAVAILABLE if the CLI does not offer it. Default: that of the CLI. A PLAN run always plans.`,
      ),
    ),
    permissionPolicy: v.pipe(
      v.nullish(permissionPolicy),
      v.description('Default: ASK. A PLAN run rejects EDIT, DELETE, MOVE and EXECUTE whatever the policy is.'),
    ),
    permissionRules: v.pipe(
      v.nullish(
        v.pipe(
          v.array(named('PermissionRuleInput', 'An exception from the permission policy.', v.object(rule))),
          v.maxLength(rulesMax),
        ),
      ),
      v.description('Exceptions from the policy, at most one for each kind of tool. Default: none.'),
    ),
  }),
)

export const runConfigurationOutput = named(
  'RunConfiguration',
  'The conditions under which the run is admitted, and the options of its coding CLI. A follow-up has the options of the run that it follows, unless its request sets others.',
  v.object({
    worktreeConcurrencyLimit: int,
    model: v.pipe(v.nullable(v.string()), v.description(`${aboutModel} Null: that of the CLI.`)),
    mode: v.pipe(v.nullable(v.string()), v.description(`${aboutMode} Null: that of the CLI.`)),
    permissionPolicy,
    permissionRules: atMost(
      rulesMax,
      named('PermissionRule', 'An exception from the permission policy.', v.object(rule)),
    ),
  }),
)
