/** Definitions of workflows: their defaults, the rules that concern several fields, and those of earlier versions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import { toDefinition } from '../../../spec/work/workflows/checkDefinition.ts'
import { definitionFields } from '../../../spec/work/workflows/definition.ts'
import { expandReferences, MissingValue } from '../../../spec/work/workflows/references.ts'
import { readDefinition } from '../../../spec/work/workflows/storedDefinition.ts'

const configurationId = 'bcf_00000000000000000000000001'

type Part = Readonly<Record<string, unknown>>

const input = v.object(definitionFields)
const define = (definition: Part) => toDefinition(v.parse(input, { name: 'w', ...definition }))
const command = (name: string, more: Part = {}) => ({ name, action: { command: { script: 'true' } }, ...more })
const approval = (message: string, more: Part = {}) => ({ name: 'ask', action: { approval: { message } }, ...more })

test('a step needs the one before it unless it names others, and the rest has defaults', () => {
  const { steps, ...rest } = define({ steps: [command('a'), command('b'), command('c', { needs: [] })] })
  assert.deepEqual(
    steps.map(({ needs }) => needs),
    [[], ['a'], []],
  )
  assert.deepEqual(steps[0], {
    name: 'a',
    title: 'a',
    kind: 'COMMAND',
    needs: [],
    condition: 'SUCCEEDED',
    onlyIf: null,
    timeoutSeconds: null,
    retry: { maxAttempts: 1, delaySeconds: 10 },
    action: { command: { script: 'true', env: [] }, ai: null, workflow: null, build: null, approval: null },
  })
  assert.deepEqual(rest, {
    name: 'w',
    inputs: [],
    outputs: [],
    exclusiveWorktree: false,
    overlapScope: 'WORKTREE',
    overlapPolicy: 'BUFFER_ALL',
    worktreeConcurrencyLimit: 0,
    timeoutSeconds: 14_400,
  })
})

const refused: readonly [reason: string, definition: Part, field: string, message: RegExp][] = [
  ['two steps of one name', { steps: [command('a'), command('a')] }, 'steps.1.name', /two steps have the name "a"/],
  [
    'a need of a later step',
    { steps: [command('a', { needs: ['b'] }), command('b')] },
    'steps.0.needs',
    /no step before "a" has the name "b"\. The step is the first one/,
  ],
  [
    'a reference to a step that it does not need',
    { steps: [command('a'), approval('{{steps.a.x}}', { needs: [] })] },
    'steps.1.action.approval.message',
    /line 1, column 1: \{\{steps\.a\.x\}\} names a step that has not ended by then\. .* Steps that have ended: none/,
  ],
  [
    'an input that is not declared',
    { inputs: [{ name: 'b', type: 'TEXT' }], steps: [approval('x\n {{inputs.a}}')] },
    'steps.0.action.approval.message',
    /line 2, column 2: .* The workflow has only the inputs b/,
  ],
  [
    'braces that are not a reference',
    { steps: [approval('{{a}}')] },
    'steps.0.action.approval.message',
    /"\{\{a\}\}" is not/,
  ],
  [
    'a comparison with nothing',
    { steps: [command('a', { onlyIf: { value: 'x' } })] },
    'steps.0.onlyIf',
    /give `equals` or `differsFrom`/,
  ],
  [
    'an approval that is repeated',
    { steps: [approval('May I?', { retry: { maxAttempts: 2 } })] },
    'steps.0.retry',
    /is decided once/,
  ],
  [
    'a variable that is there twice',
    {
      steps: [
        {
          name: 'a',
          action: {
            command: {
              script: 'true',
              env: [
                { name: 'A', value: '1' },
                { name: 'A', value: '2' },
              ],
            },
          },
        },
      ],
    },
    'steps.0.action.command.env',
    /"A" is there twice/,
  ],
  [
    'a command with more variables than agents accept',
    {
      inputs: Array.from({ length: 20 }, (_, n) => ({ name: `i${n}`, type: 'TEXT' })),
      steps: [
        {
          name: 'a',
          action: {
            command: { script: 'true', env: Array.from({ length: 45 }, (_, n) => ({ name: `V${n}`, value: '' })) },
          },
        },
      ],
    },
    'steps.0.action.command.env',
    /the command would have 65 variables: one for each input .* at most 64/,
  ],
  [
    'two outputs of one name',
    {
      steps: [command('a')],
      outputs: [
        { name: 'o', value: '1' },
        { name: 'o', value: '2' },
      ],
    },
    'outputs.1.name',
    /two outputs have the name "o"/,
  ],
  [
    'a definition that is too large',
    {
      steps: Array.from({ length: 20 }, (_, n) => ({
        name: `s${n}`,
        action: { command: { script: 'x'.repeat(20_000) } },
      })),
    },
    'steps',
    /has \d+ characters as JSON\. It may have at most 262144/,
  ],
]
for (const [reason, definition, field, message] of refused)
  test(`refused: ${reason}`, () => {
    assert.throws(
      () => define(definition),
      (error) => {
        assert.ok(error instanceof Failure)
        assert.deepEqual([error.code, error.details?.field], ['BAD_USER_INPUT', field])
        assert.match(error.message, message)
        return true
      },
    )
  })

test('a reference to a step that is needed through other steps is allowed', () => {
  const { steps } = define({ steps: [command('a'), command('b'), approval('{{steps.a.x}} {{steps.b.y}}')] })
  assert.equal(steps.length, 3)
})

test('a variable that agents refuse is refused when the definition is saved', () => {
  for (const name of ['PATH', 'SIGNALBOX_OUTPUT', 'LD_PRELOAD', 'lower']) {
    const action = { command: { script: 'true', env: [{ name, value: '' }] } }
    assert.throws(() => define({ steps: [{ name: 'a', action }] }), /must be upper-case letters/, name)
  }
})

test('a value is never expanded again, and a missing one is named', () => {
  const scope = { inputs: { a: '{{inputs.b}}', b: 'no' }, outputsOf: () => ({}) }
  assert.equal(expandReferences('{{inputs.a}} {{{{', scope), '{{inputs.b}} {{')
  assert.throws(() => expandReferences('{{steps.s.o}}', scope), new MissingValue('The step "s" has no output "o".'))
  assert.equal(expandReferences('<{{steps.s.o}}>', scope, 'empty'), '<>')
})

test('a stored list of commands is read as steps, one after the other, with names of their own', () => {
  const stored = {
    name: 'old',
    steps: [
      { name: 'Run tests!', command: 'npm test' },
      { name: 'run tests', command: 'npm run more' },
      { name: '…', command: 'true' },
    ],
    exclusiveWorktree: true,
    overlapScope: 'GLOBAL',
    overlapPolicy: 'SKIP',
    worktreeConcurrencyLimit: 1,
    timeoutSeconds: 60,
  }
  const read = readDefinition(stored)
  assert.deepEqual(
    read.steps.map(({ name, title, needs, action }) => [name, title, needs, action.command?.script]),
    [
      ['run-tests', 'Run tests!', [], 'npm test'],
      ['run-tests-2', 'run tests', ['run-tests'], 'npm run more'],
      ['step', '…', ['run-tests-2'], 'true'],
    ],
  )
  assert.deepEqual([read.inputs, read.outputs, read.overlapPolicy, read.timeoutSeconds], [[], [], 'SKIP', 60])
  const present = define({ steps: [command('a')] })
  assert.equal(readDefinition(present as never), present)
})

test('a stored definition that is older than builds has no build', () => {
  const { steps, ...rest } = define({ steps: [command('a')] })
  const stored = { ...rest, steps: steps.map(({ action: { build: _, ...action }, ...step }) => ({ ...step, action })) }
  assert.deepEqual(readDefinition(stored as never), { ...rest, steps })
})

test('a build has defaults, and its commit may refer to inputs', () => {
  const build = (commit?: string) => ({
    name: 'b',
    action: { build: { buildConfigurationId: configurationId, commit } },
  })
  const [step] = define({ steps: [build()] }).steps
  const defaults = {
    buildConfigurationId: configurationId,
    worktreeId: null,
    commit: null,
    source: 'COMMIT',
    kind: 'BUILD',
    serverUrlKind: null,
  }
  assert.deepEqual([step?.kind, step?.action.build], ['BUILD', defaults])
  assert.throws(() => define({ steps: [build('{{inputs.tag}}')] }), {
    code: 'BAD_USER_INPUT',
    message: /^steps\.0\.action\.build\.commit: .*names an input that is not declared/,
  })
  const ofWorktree = { buildConfigurationId: configurationId, source: 'WORKTREE', commit: 'main' }
  assert.throws(() => define({ steps: [{ name: 'b', action: { build: ofWorktree } }] }), {
    code: 'BAD_USER_INPUT',
    message: /^steps\.0\.action\.build\.commit: a build of the files of a worktree names no commit/,
  })
})
