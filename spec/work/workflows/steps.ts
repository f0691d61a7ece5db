/** The steps of a workflow, as they are stored in a definition and returned by the API. */
import * as v from 'valibot'
import { buildKind, buildSource } from '../../builds/builds.ts'
import { serverUrlKind } from '../../builds/serverUrls.ts'
import { oneOf } from '../../core/oneOf.ts'
import { atMost, id, idOf, int, named, text } from '../../core/types.ts'
import { namedValue } from '../../runs/outputs.ts'
import { permissionPolicy } from '../../runs/runConfiguration.ts'
import { agentRunKind } from '../../runs/runRequests.ts'
import { mcpPresetIds } from '../../tools/toolGrants.ts'

/** The maximum number of steps of a workflow. */
export const stepsMax = 50
/** The maximum number of variables of a COMMAND step, and of inputs of a WORKFLOW step. */
const valuesMax = 50
const presetsMax = 20

export const stepKinds = ['COMMAND', 'AI', 'WORKFLOW', 'BUILD', 'APPROVAL'] as const
export type StepKind = (typeof stepKinds)[number]

export const stepKind = named(
  'WorkflowStepKind',
  'The kind of a step. COMMAND: the shell runs a command. AI: a coding CLI gets a prompt. WORKFLOW: another workflow is started. BUILD: a build configuration is built. APPROVAL: a person decides whether the run continues.',
  v.picklist(stepKinds),
)

const stepCondition = named(
  'WorkflowStepCondition',
  'The condition of a step. SUCCEEDED: all steps that it needs have succeeded, or their own conditions skipped them. FAILED: at least one of them has failed. ALWAYS: all of them have ended.',
  v.picklist(['SUCCEEDED', 'FAILED', 'ALWAYS']),
)

const templated =
  '`{{inputs.name}}` is replaced by an input of the workflow, `{{steps.name.output}}` by an output of a step that this one needs, and `{{{{` by two braces.'

export const stepName = v.pipe(
  text({ min: 1, max: 50 }),
  v.regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, "_" and "-", and begin with a letter'),
)

/** The environment variables that agents accept: not their own, and none that decides which programs and libraries are used. */
export const variableName = v.pipe(
  text({ min: 1, max: 100 }),
  v.regex(
    /^(?!SIGNALBOX_|LD_|DYLD_|(?:PATH|HOME|PWD)$)[A-Z_][A-Z0-9_]*$/,
    'must be upper-case letters, digits and "_", and not PATH, HOME, PWD, SIGNALBOX_…, LD_… or DYLD_…',
  ),
)

const valueText = v.pipe(text({ max: 20_000 }), v.description(`The value. ${templated}`))

const worktreeId = v.pipe(
  v.nullish(idOf('worktree')),
  v.description('The worktree on which it runs. Default: the worktree of the run, whose slot it shares.'),
)

const action = oneOf('WorkflowStepActionInput', 'The action of a step: exactly one of these.', {
  command: named(
    'CommandActionInput',
    'A command that the shell runs in the worktree.',
    v.object({
      script: v.pipe(
        text({ min: 1, max: 20_000 }),
        v.description(
          'The command. No value is ever inserted into it: it reads the input `branch` from the environment as `"$INPUT_BRANCH"`, and other values as `env` names them. It writes its outputs as lines `name=value` into the file `$SIGNALBOX_OUTPUT`.',
        ),
      ),
      env: v.pipe(
        v.nullish(
          v.pipe(
            v.array(
              named(
                'WorkflowVariableInput',
                'An environment variable of a command.',
                v.object({ name: variableName, value: valueText }),
              ),
            ),
            v.maxLength(valuesMax),
          ),
        ),
        v.description('Environment variables. Default: none.'),
      ),
    }),
  ),
  ai: named(
    'AiActionInput',
    'A prompt for a coding CLI. It becomes a plan or a session with a run of its own.',
    v.object({
      kind: agentRunKind,
      prompt: v.pipe(text({ min: 1, max: 100_000 }), v.description(`The prompt. ${templated}`)),
      cli: v.pipe(
        v.nullish(text({ min: 1, max: 100 })),
        v.description('The name of a coding CLI on the agent’s machine. Default: the first one of the machine.'),
      ),
      model: v.pipe(v.nullish(text({ min: 1, max: 200 })), v.description('The model. Default: that of the CLI.')),
      permissionPolicy: v.pipe(
        v.nullish(permissionPolicy),
        v.description('The answer to permission requests of the coding CLI. Default: ASK.'),
      ),
      mcpPresetIds,
      worktreeId,
    }),
  ),
  workflow: named(
    'WorkflowActionInput',
    'Another workflow, which is started as a run of its own.',
    v.object({
      workflowId: idOf('workflow'),
      inputs: v.pipe(
        v.nullish(
          v.pipe(
            v.array(
              named(
                'WorkflowValueInput',
                'A value for an input of the started workflow.',
                v.object({ name: text({ min: 1, max: 50 }), value: valueText }),
              ),
            ),
            v.maxLength(valuesMax),
          ),
        ),
        v.description('Values for the inputs of the workflow. Default: none.'),
      ),
      worktreeId,
    }),
  ),
  build: named(
    'BuildActionInput',
    'A build of a build configuration.',
    v.object({
      buildConfigurationId: idOf('buildConfiguration'),
      worktreeId: v.pipe(
        v.nullish(idOf('worktree')),
        v.description('The worktree on whose machine it is built. Default: the worktree of the run.'),
      ),
      commit: v.pipe(
        v.nullish(text({ max: 500 })),
        v.description(
          `The branch, tag or commit to build. ${templated} Default, and if the text is empty: the commit of the worktree.`,
        ),
      ),
      source: v.pipe(
        v.nullish(buildSource),
        v.description('The files that are built. WORKTREE allows no `commit`. Default: COMMIT.'),
      ),
      kind: v.pipe(
        v.nullish(buildKind),
        v.description('COVERAGE needs `coverageReports` in the configuration. Default: BUILD.'),
      ),
      serverUrlKind: v.pipe(
        v.nullish(serverUrlKind),
        v.description('The origin by which the build reaches the server. Default: `serverUrlSettings`.'),
      ),
    }),
  ),
  approval: named(
    'ApprovalActionInput',
    'A decision of a person. `decideApproval` approves or rejects it.',
    v.object({
      message: v.pipe(text({ min: 1, max: 2_000 }), v.description(`The question for the person. ${templated}`)),
      deadlineSeconds: v.pipe(
        v.nullish(v.pipe(int, v.minValue(1), v.maxValue(30 * 86_400))),
        v.description('The number of seconds after which the step fails without a decision. Default: no deadline.'),
      ),
    }),
  ),
})

export const stepInput = named(
  'WorkflowStepInput',
  'A step of a workflow.',
  v.object({
    name: v.pipe(stepName, v.description('The name, unique in the workflow. Other steps refer to it.')),
    title: v.pipe(v.nullish(text({ min: 1, max: 100 })), v.description('The title for people. Default: the name.')),
    needs: v.pipe(
      v.nullish(v.pipe(v.array(stepName), v.maxLength(stepsMax))),
      v.description(
        'The names of steps before it in the list that must end first. Default: the step before it. An empty list: it starts at once.',
      ),
    ),
    condition: v.pipe(
      v.nullish(stepCondition),
      v.description('The condition under which it runs. Default: SUCCEEDED.'),
    ),
    onlyIf: v.pipe(
      v.nullish(
        named(
          'WorkflowStepTestInput',
          'A comparison of two texts.',
          v.object({
            value: valueText,
            equals: v.pipe(v.nullish(text({ max: 20_000 })), v.description('The step runs only if the value is this.')),
            differsFrom: v.pipe(
              v.nullish(text({ max: 20_000 })),
              v.description('The step runs only if the value is not this.'),
            ),
          }),
        ),
      ),
      v.description('A comparison that must hold in addition. Otherwise the step is skipped. Default: none.'),
    ),
    timeoutSeconds: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(7 * 86_400))),
      v.description(
        'The number of seconds after which an attempt of the step is ended. Default: that of the workflow.',
      ),
    ),
    retry: v.pipe(
      v.nullish(
        named(
          'WorkflowRetryInput',
          'The repetition of a step that has failed or timed out.',
          v.object({
            maxAttempts: v.pipe(int, v.minValue(1), v.maxValue(10)),
            delaySeconds: v.pipe(
              v.nullish(v.pipe(int, v.minValue(1), v.maxValue(3_600))),
              v.description(
                'The pause before the second attempt. It doubles before each later one, up to an hour. Default: 10.',
              ),
            ),
          }),
        ),
      ),
      v.description('Default: one attempt.'),
    ),
    action,
  }),
)

export type StepInput = v.InferOutput<typeof stepInput>

const values = atMost(valuesMax, namedValue)

/** A step, as it is stored and returned. Exactly one part of the action is not null. */
export const stepDefinition = named(
  'WorkflowStepDefinition',
  'A step of a workflow.',
  v.object({
    name: v.string(),
    title: v.string(),
    kind: stepKind,
    needs: v.pipe(v.array(v.string()), v.maxLength(stepsMax)),
    condition: stepCondition,
    onlyIf: v.nullable(
      named(
        'WorkflowStepTest',
        'A comparison of two texts.',
        v.object({ value: v.string(), equals: v.nullable(v.string()), differsFrom: v.nullable(v.string()) }),
      ),
    ),
    timeoutSeconds: v.nullable(int),
    retry: named(
      'WorkflowRetry',
      'The repetition of a step that has failed or timed out.',
      v.object({ maxAttempts: int, delaySeconds: int }),
    ),
    action: named(
      'WorkflowStepAction',
      'The action of a step. One of the fields is not null.',
      v.object({
        command: v.nullable(
          named(
            'CommandAction',
            'A command that the shell runs in the worktree.',
            v.object({ script: v.string(), env: values }),
          ),
        ),
        ai: v.nullable(
          named(
            'AiAction',
            'A prompt for a coding CLI.',
            v.object({
              kind: agentRunKind,
              prompt: v.string(),
              cli: v.nullable(v.string()),
              model: v.nullable(v.string()),
              permissionPolicy: v.nullable(permissionPolicy),
              mcpPresetIds: v.pipe(v.array(id), v.maxLength(presetsMax)),
              worktreeId: v.nullable(id),
            }),
          ),
        ),
        workflow: v.nullable(
          named(
            'WorkflowAction',
            'Another workflow, which is started.',
            v.object({
              workflowId: id,
              inputs: values,
              worktreeId: v.nullable(id),
            }),
          ),
        ),
        build: v.nullable(
          named(
            'BuildAction',
            'A build of a build configuration.',
            v.object({
              buildConfigurationId: id,
              worktreeId: v.nullable(id),
              commit: v.nullable(v.string()),
              source: buildSource,
              kind: buildKind,
              serverUrlKind: v.nullable(serverUrlKind),
            }),
          ),
        ),
        approval: v.nullable(
          named(
            'ApprovalAction',
            'A decision of a person.',
            v.object({ message: v.string(), deadlineSeconds: v.nullable(int) }),
          ),
        ),
      }),
    ),
  }),
)

export type StepDefinition = v.InferOutput<typeof stepDefinition>
