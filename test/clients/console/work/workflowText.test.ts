/** The definition of a workflow as a form and as YAML: nothing is lost between them, and a mistake names its line. */
import '../../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../../clients/console/app/data/apiError.ts'
import { readWorkflowForm, toStepRow } from '../../../../clients/console/app/work/workflows/readWorkflowForm.ts'
import {
  toWorkflowInput,
  type WorkflowDefinition,
  type WorkflowInput,
} from '../../../../clients/console/app/work/workflows/workflowInput.ts'
import { locateError, parseYaml, toYaml } from '../../../../clients/console/app/work/workflows/workflowYaml.ts'
import { toDefinition } from '../../../../spec/work/workflows/checkDefinition.ts'

const full: WorkflowInput = {
  name: 'Release',
  inputs: [
    { name: 'channel', type: 'CHOICE', choices: ['beta', 'stable'], default: 'beta' },
    { name: 'count', type: 'NUMBER', required: true },
  ],
  steps: [
    {
      name: 'build',
      title: 'Build it',
      timeoutSeconds: 60,
      retry: { maxAttempts: 3, delaySeconds: 5 },
      action: { command: { script: 'make\nmake test\n', env: [{ name: 'CHANNEL', value: '{{inputs.channel}}' }] } },
    },
    { name: 'lint', needs: [], action: { ai: { kind: 'PLAN', prompt: 'Look at it.', permissionPolicy: 'DENY' } } },
    {
      name: 'ask',
      needs: ['build', 'lint'],
      condition: 'ALWAYS',
      onlyIf: { value: '{{inputs.channel}}', equals: 'stable' },
      action: { approval: { message: 'Publish?', deadlineSeconds: 600 } },
    },
  ],
  outputs: [{ name: 'version', value: '{{steps.build.version}}' }],
  overlapPolicy: 'SKIP',
  exclusiveWorktree: true,
}

const stored = (input: WorkflowInput) => toDefinition(input as never) as unknown as WorkflowDefinition

test('a stored definition is written without its defaults, as people wrote it', () => {
  assert.deepEqual(toWorkflowInput(stored(full)), full)
})

test('YAML and the definition are converted to each other', () => {
  assert.deepEqual(parseYaml(toYaml(full)), full)
})

test('the fields of the form become the definition, and a step that needs a renamed step has the new name', () => {
  const rows = full.steps.map((step, key) => ({ key, value: toStepRow(step) }))
  const form = new FormData()
  const set = (fields: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
  }
  set({ name: ' Release ', 'inputs.0.name': 'channel', 'inputs.0.type': 'CHOICE', 'inputs.0.choices': 'beta, stable' })
  set({ 'inputs.0.default': 'beta', 'inputs.1.name': 'count', 'inputs.1.type': 'NUMBER', 'inputs.1.required': 'true' })
  set({ 'steps.0.name': 'compile', 'steps.0.title': 'Build it', 'steps.0.timeoutSeconds': '60' })
  set({ 'steps.0.retry.maxAttempts': '3', 'steps.0.retry.delaySeconds': '5' })
  set({ 'steps.0.action.command.script': 'make\r\nmake test\r\n', 'steps.0.action.command.env.0.name': 'CHANNEL' })
  set({ 'steps.0.action.command.env.0.value': '{{inputs.channel}}' })
  set({ 'steps.1.name': 'lint', 'steps.1.action.ai.kind': 'PLAN', 'steps.1.action.ai.prompt': 'Look at it.' })
  set({ 'steps.1.action.ai.permissionPolicy': 'DENY', 'steps.2.name': 'ask', 'steps.2.condition': 'ALWAYS' })
  set({ 'steps.2.needs': '0', 'steps.2.comparison': 'equals', 'steps.2.onlyIf.value': '{{inputs.channel}}' })
  set({ 'steps.2.onlyIf.text': 'stable', 'steps.2.action.approval.message': 'Publish?' })
  set({ 'steps.2.action.approval.deadlineSeconds': '600', overlapPolicy: 'SKIP', exclusiveWorktree: 'true' })
  form.append('steps.2.needs', '1')
  set({ 'outputs.0.name': 'version', 'outputs.0.value': '{{steps.build.version}}' })
  const [build, lint, ask] = full.steps
  const renamed = { ...full, steps: [{ ...build, name: 'compile' }, lint, { ...ask, needs: ['compile', 'lint'] }] }
  assert.deepEqual(readWorkflowForm(form, rows), renamed)
})

const refusals: readonly (readonly [mistake: string, text: string, refusal: RegExp])[] = [
  [
    'a misspelled field',
    'name: x\nsteps:\n  - name: a\n    tittle: A\n    action: { command: { script: "true" } }',
    /^Line 4: steps\.0\.tittle: /,
  ],
  [
    'a wrong name',
    'name: x\nsteps:\n  - name: A\n    action: { command: { script: "true" } }',
    /^Line 3: steps\.0\.name: must be lower-case/,
  ],
  [
    'two actions',
    'name: x\nsteps:\n  - name: a\n    action:\n      command: { script: "true" }\n      approval: { message: x }',
    /^Line 4: steps\.0\.action: must have exactly one/,
  ],
  ['no steps', 'name: x', /^Line 1: steps: /],
  ['no YAML', 'name: [x', /^Line \d+: /],
  ['a list', '- a', /^Line 1: /],
]

for (const [mistake, text, refusal] of refusals)
  test(`YAML with ${mistake} names the line`, () => {
    assert.throws(() => parseYaml(text), { name: 'ApiError', message: refusal, field: 'yaml' })
  })

test('a refusal of the server gets the line of its field', () => {
  const error = new ApiError('BAD_USER_INPUT', 'steps.1.needs: no step before it.', { field: 'steps.1.needs' })
  assert.match(locateError(toYaml(full), error).message, /^Line \d+: steps\.1\.needs: no step before it\.$/)
  const other = new ApiError('CONFLICT', 'It was changed.')
  assert.equal(locateError('name: x', other), other)
})
