/** Commands are created, changed and run on a real agent. Values of arguments reach a shell command only through its environment. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { makePreset, mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
/** The repository of the machine’s codebase, and one that no codebase has. */
let ownId: string
let otherId: string

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['shell', 'prompt', 'versions', 'scopes', 'tools', 'refused'] })
  await git(machine.repository, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  ownId = await until('the remote to be reported', async () => {
    const { codebase } = await stage.ask<{ codebase: { repository: { id: string } | null } }>(
      'query ($id: ID!) { codebase(id: $id) { repository { id } } }',
      { id: machine.codebaseId },
    )
    return codebase.repository?.id
  })
  const { codebaseRepositoryPreparations } = await mutate<{
    codebaseRepositoryPreparations: { repositoryId: string }
  }>(
    stage.ask,
    'saveCodebaseRepositoryPreparations',
    { repository: { name: 'github.com/acme/other' }, preparations: [] },
    'codebaseRepositoryPreparations { repositoryId }',
  )
  otherId = codebaseRepositoryPreparations.repositoryId
})
after(() => stage?.end())

type Input = Readonly<Record<string, unknown>>
interface Command {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly version: number
  readonly revision: number
  readonly repositoryId: string | null
}
type CommandRun = RunView & {
  readonly command: { readonly id: string; readonly name: string; readonly version: number }
}

const fields = 'id name status version revision repositoryId'
const change = async (mutation: string, input: Input) =>
  (await mutate<{ command: Command }>(stage.ask, mutation, input, `command { ${fields} }`)).command
const create = (input: Input) => change('createCommand', input)
const run = async (name: string | { id: string }, branch: string, more: Input = {}) => {
  const command = typeof name === 'string' ? { name } : { id: name.id }
  const input = { command, worktreeId: machine.worktree(branch), ...more }
  const answer = await mutate<{ run: CommandRun }>(
    stage.ask,
    'runCommand',
    input,
    `run { ${runFields} command { id name version } }`,
  )
  return answer.run
}
const succeeded = async (started: RunView) => await untilRun(stage.ask, started.id, ['SUCCEEDED'])
const fileOf = (branch: string, name: string) => readFile(join(machine.path(branch), name), 'utf8')

test('a shell command gets its arguments unchanged, and nothing in them is executed', async () => {
  await create({
    name: 'keep',
    body: {
      shell:
        'printf "%s" "$ARG_WORDS" > words.txt; printf "%s|" "$ARG_COUNT" "$ARG_DRY_RUN" "$ARG_LEVEL" "$ARG_NOTE" > rest.txt',
    },
    arguments: [
      { name: 'words', type: 'TEXT', required: true },
      { name: 'count', type: 'NUMBER', default: 1.5 },
      { name: 'dry_run', type: 'BOOLEAN', default: false },
      { name: 'level', type: 'CHOICE', choices: ['low', 'high'] },
      { name: 'note', type: 'TEXT', default: '{{words}}' },
    ],
  })
  const words = `"quoted" 'single' \`touch back\`\n$(touch substituted); touch semicolon & touch and | tee pipe > out \\ $HOME {{words}} %s *`
  await succeeded(await run('keep', 'shell', { arguments: { words, level: 'high', note: null } }))
  assert.equal(await fileOf('shell', 'words.txt'), words)
  assert.equal(await fileOf('shell', 'rest.txt'), '1.5|false|high|{{words}}|')
  for (const name of ['back', 'substituted', 'semicolon', 'and', 'pipe', 'out'])
    assert.equal(existsSync(join(machine.path('shell'), name)), false, name)
})

test('an argument without a value is an empty variable', async () => {
  await create({
    name: 'unset',
    body: { shell: 'set -u; printf "[%s]" "$ARG_A" > unset.txt' },
    arguments: [{ name: 'a', type: 'TEXT' }],
  })
  await succeeded(await run('unset', 'shell'))
  assert.equal(await fileOf('shell', 'unset.txt'), '[]')
})

test('a prompt is expanded once, and the coding CLI gets it', async () => {
  await create({
    name: 'review/branch',
    body: { prompt: 'Review {{branch}} {{times}} times, {{{{literally}}.\necho' },
    arguments: [
      { name: 'branch', type: 'TEXT', required: true },
      { name: 'times', type: 'NUMBER', default: 2 },
    ],
  })
  const started = await run('review/branch', 'prompt', { arguments: { branch: '{{times}}' } })
  assert.deepEqual([started.title, started.kind, started.status], ['review/branch', 'SESSION', 'QUEUED'])
  const { result } = await succeeded(started)
  assert.match(result?.text ?? '', /Review \{\{times\}\} 2 times, \{\{literally\}\}\./)
})

test('a run and its retry show the version of the command that they used', async () => {
  const made = await create({ name: 'count', description: 'One.', body: { shell: 'echo one' } })
  const first = await run('count', 'versions', { title: 'First' })
  assert.deepEqual([first.title, first.command], ['First', { id: made.id, name: 'count', version: 1 }])
  const changed = await change('updateCommand', {
    commandId: made.id,
    name: 'count-up',
    body: { shell: 'echo two' },
    expectedRevision: 1,
  })
  assert.deepEqual([changed.version, changed.revision, changed.name], [2, 2, 'count-up'])
  const second = await run({ id: made.id }, 'versions')
  assert.deepEqual(second.command, { id: made.id, name: 'count-up', version: 2 })
  await succeeded(first)
  await succeeded(second)
  const retry = await mutate<{ run: CommandRun }>(
    stage.ask,
    'retryRun',
    { runId: first.id },
    'run { id command { id name version } }',
  )
  assert.deepEqual(retry.run.command, first.command)
  const plain = await startRun(stage.ask, { worktreeId: machine.worktree('versions'), command: 'true' })
  const { run: other } = await stage.ask<{ run: CommandRun }>('query ($id: ID!) { run(id: $id) { command { id } } }', {
    id: plain.id,
  })
  assert.equal(other.command, null)

  const { command } = await stage.ask<{ command: Record<string, unknown> }>(
    `query ($id: ID!) { command(id: $id) {
      template arguments { name } versions(first: 5) { totalCount nodes { version name description template author { __typename } } }
    } }`,
    { id: made.id },
  )
  const author = { __typename: 'ApiKey' }
  assert.deepEqual(command, {
    template: 'echo two',
    arguments: [],
    versions: {
      totalCount: 2,
      nodes: [
        { version: 2, name: 'count-up', description: '', template: 'echo two', author },
        { version: 1, name: 'count', description: 'One.', template: 'echo one', author },
      ],
    },
  })
})

test('a command of the repository is preferred to one of the installation', async () => {
  const general = await create({ name: 'check', body: { shell: 'true' } })
  const ofOther = await create({ name: 'check', repositoryId: otherId, body: { shell: 'true' } })
  assert.equal((await run('check', 'scopes')).command.id, general.id)
  const own = await create({ name: 'check', repositoryId: ownId, body: { shell: 'true' } })
  assert.equal((await run('check', 'scopes')).command.id, own.id)
  const refused = await refusal(run({ id: ofOther.id }, 'scopes'))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  assert.match(refused.message, new RegExp(otherId))

  const byName = async (repositoryId?: string) =>
    (
      await stage.ask<{ commandByName: Command | null }>(
        'query ($name: String!, $repositoryId: ID) { commandByName(name: $name, repositoryId: $repositoryId) { id } }',
        { name: 'check', repositoryId },
      )
    ).commandByName?.id
  assert.deepEqual([await byName(), await byName(ownId), await byName(otherId)], [general.id, own.id, ofOther.id])
  const listed = async (input: Input) =>
    (
      await stage.ask<{ commands: { nodes: Command[] } }>(
        'query ($repositoryId: ID, $statuses: [CommandStatus!]) { commands(repositoryId: $repositoryId, statuses: $statuses) { nodes { id } } }',
        input,
      )
    ).commands.nodes.map(({ id }) => id)
  assert.deepEqual(await listed({ repositoryId: ownId }), [own.id])

  await change('archiveCommand', { commandId: own.id })
  assert.equal((await run('check', 'scopes')).command.id, general.id)
  assert.deepEqual(await listed({ repositoryId: ownId }), [])
  assert.deepEqual(await listed({ repositoryId: ownId, statuses: ['ARCHIVED'] }), [own.id])
  assert.equal((await refusal(run({ id: own.id }, 'scopes'))).code, 'FAILED_PRECONDITION')
  assert.equal((await change('unarchiveCommand', { commandId: own.id })).status, 'ACTIVE')
})

test('two active commands of a scope cannot have the same name', async () => {
  const made = await create({ name: 'taken', body: { shell: 'true' } })
  const taken = await refusal(create({ name: 'taken', body: { shell: 'true' } }))
  assert.deepEqual([taken.code, taken.details.field], ['CONFLICT', 'name'])
  const other = await create({ name: 'free', body: { shell: 'true' } })
  const renamed = await refusal(
    change('updateCommand', { commandId: other.id, name: 'taken', body: { shell: 'true' } }),
  )
  assert.equal(renamed.code, 'CONFLICT')
  await change('archiveCommand', { commandId: made.id })
  await create({ name: 'taken', body: { shell: 'true' } })
  assert.equal((await refusal(change('unarchiveCommand', { commandId: made.id }))).code, 'CONFLICT')
  const both = await Promise.all(
    [1, 2, 3].map(async () => await refusal(create({ name: 'at-once', body: { shell: 'true' } }))),
  )
  assert.deepEqual(both.map(({ code }) => code).sort(), ['CONFLICT', 'CONFLICT', 'GRANTED'])

  const two = await Promise.all(['left', 'right'].map((name) => create({ name, body: { shell: 'true' } })))
  const met = await Promise.all(
    two.map(({ id }) => refusal(change('updateCommand', { commandId: id, name: 'middle', body: { shell: 'true' } }))),
  )
  assert.deepEqual(met.map(({ code }) => code).sort(), ['CONFLICT', 'GRANTED'])
})

test('an operator cannot restore a command whose name another one has', async () => {
  const made = await create({ name: 'restored', body: { shell: 'true' } })
  await change('archiveCommand', { commandId: made.id })
  await create({ name: 'restored', body: { shell: 'true' } })
  const action = { sendEvent: { event: 'unarchive' } }
  const input = { id: made.id, expectedSequence: 2, action, reason: 'needed' }
  const refused = await refusal(mutate(stage.ask, 'performOperatorAction', input, '__typename'))
  assert.equal(refused.code, 'CONFLICT', refused.message)
})

test('search finds a command by its name and its description, and not by its template', async () => {
  const made = await create({
    name: 'deploy/preview',
    description: 'Publishes a zeppelin.',
    body: { shell: 'echo submarine' },
  })
  const found = async (text: string) =>
    (
      await stage.ask<{ globalSearch: { hits: { id: string }[] } }>(
        'query ($text: String!) { globalSearch(text: $text, kinds: [COMMAND]) { hits { id } } }',
        { text },
      )
    ).globalSearch.hits.map(({ id }) => id)
  await until('the command to be found', async () => ((await found('zeppelin')).length > 0 ? true : undefined))
  assert.deepEqual([await found('deploy/preview'), await found('submarine')], [[made.id], []])
})

test('a repeated request returns the same run, even after the command was archived', async () => {
  const made = await create({ name: 'once', body: { shell: 'true' }, idempotencyKey: 'made' })
  assert.equal((await create({ name: 'once', body: { shell: 'true' }, idempotencyKey: 'made' })).id, made.id)
  const first = await run('once', 'versions', { idempotencyKey: 'k' })
  await change('archiveCommand', { commandId: made.id })
  assert.equal((await run('once', 'versions', { idempotencyKey: 'k' })).id, first.id)
})

const argument = { name: 'a', type: 'TEXT' }
const prompt = { prompt: 'Do it.' }
const badContents: readonly [reason: string, input: Input, field: string, message: RegExp][] = [
  ['an upper-case name', { name: 'Check' }, 'name', /lower-case/],
  ['a name of 65 characters', { name: 'a'.repeat(65) }, 'name', /64/],
  [
    'an unknown placeholder',
    { body: { prompt: 'a\n b {{bb}}' }, arguments: [argument] },
    'body.prompt',
    /line 2, column 4: .*"bb".* a\./,
  ],
  ['a placeholder without arguments', { body: { prompt: '{{bb}}' } }, 'body.prompt', /no arguments/],
  ['half a placeholder', { body: { prompt: 'a {{b c}}' } }, 'body.prompt', /line 1, column 3/],
  ['two arguments of a name', { arguments: [argument, argument] }, 'arguments.1.name', /Rename/],
  [
    '21 arguments',
    { arguments: Array.from({ length: 21 }, (_, index) => ({ ...argument, name: `a${index}` })) },
    'arguments',
    /20/,
  ],
  ['a choice without choices', { arguments: [{ name: 'a', type: 'CHOICE' }] }, 'arguments.0.choices', /at least one/],
  ['choices of a text', { arguments: [{ ...argument, choices: ['x'] }] }, 'arguments.0.choices', /no choices/],
  [
    'one choice twice',
    { arguments: [{ name: 'a', type: 'CHOICE', choices: ['x', 'x'] }] },
    'arguments.0.choices',
    /twice/,
  ],
  [
    'a default of another type',
    { arguments: [{ name: 'a', type: 'NUMBER', default: '1' }] },
    'arguments.0.default',
    /a number/,
  ],
  [
    'a default that is no choice',
    { arguments: [{ name: 'a', type: 'CHOICE', choices: ['x'], default: 'y' }] },
    'arguments.0.default',
    /"x"/,
  ],
  [
    'a required one with a default',
    { arguments: [{ ...argument, default: 'x', required: true }] },
    'arguments.0.default',
    /required/,
  ],
]

async function counts(): Promise<unknown> {
  return await stage.ask('{ commands { totalCount } runs { totalCount } sessions { totalCount } }')
}

test('invalid content is refused with its field, and nothing is created', async () => {
  const known = await counts()
  for (const [reason, input, field, message] of badContents) {
    const refused = await refusal(create({ name: 'bad', body: prompt, ...input }))
    assert.deepEqual([refused.code, refused.details.field], ['BAD_USER_INPUT', field], `${reason}: ${refused.message}`)
    assert.match(refused.message, message, reason)
  }
  assert.deepEqual(await counts(), known)
})

test('invalid arguments are refused with their names, and nothing is created', async () => {
  const choices = ['low', 'high']
  await create({
    name: 'strict',
    body: { shell: 'true' },
    arguments: [
      { name: 'text', type: 'TEXT', required: true },
      { name: 'number', type: 'NUMBER' },
      { name: 'flag', type: 'BOOLEAN' },
      { name: 'level', type: 'CHOICE', choices },
    ],
  })
  await create({ name: 'says', body: { prompt: '{{a}}' }, arguments: [argument] })
  const text = 'x'
  const bad: readonly [name: string, given: unknown, field: string, message: RegExp][] = [
    ['strict', { text, other: 1 }, 'arguments.other', /text, number, flag, level/],
    ['strict', {}, 'arguments.text', /is required\. Give a text/],
    ['strict', { text: null }, 'arguments.text', /is required/],
    ['strict', { text: 5 }, 'arguments.text', /must be a text, not 5/],
    ['strict', { text: 'a\u0000b' }, 'arguments.text', /control characters/],
    ['strict', { text: 'x'.repeat(20_001) }, 'arguments.text', /20000/],
    ['strict', { text: '€'.repeat(12_000) }, 'arguments', /32768/],
    ['strict', { text, number: '5' }, 'arguments.number', /must be a number, not "5"/],
    ['strict', { text, flag: 'true' }, 'arguments.flag', /must be true or false/],
    ['strict', { text, level: 'mid' }, 'arguments.level', /"low", "high", not "mid"/],
    ['strict', [text], 'arguments', /must be an object/],
    ['says', { a: ' ' }, 'arguments', /the prompt is empty/],
  ]
  const known = await counts()
  for (const [name, given, field, message] of bad) {
    const refused = await refusal(run(name, 'refused', { arguments: given }))
    const input = JSON.stringify(given).slice(0, 60)
    assert.deepEqual([refused.code, refused.details.field], ['BAD_USER_INPUT', field], `${input}: ${refused.message}`)
    assert.match(refused.message, message, input)
  }
  const model = await refusal(run('strict', 'refused', { arguments: { text }, configuration: { model: 'large' } }))
  assert.deepEqual([model.code, model.details.field], ['BAD_USER_INPUT', 'configuration.model'])
  const unknown = await refusal(run('nobody-made-this', 'refused'))
  assert.deepEqual([unknown.code, unknown.details.field], ['NOT_FOUND', 'command.name'])
  assert.deepEqual(await counts(), known)
})

test('a run can execute commands with at most its own tools, and read and change only those of its repository', async () => {
  const worktreeId = machine.worktree('tools')
  const own = await create({
    name: 'tool',
    repositoryId: ownId,
    body: { shell: 'echo "$ARG_A"' },
    arguments: [argument],
  })
  const other = await create({ name: 'tool', repositoryId: otherId, body: { shell: 'true' } })
  const mine = await makePreset(stage, ['run_command', 'get_command', 'archive_command'])
  const more = await makePreset(stage, ['run_command', 'cancel_run'])
  const calls: readonly [tool: string, input: Input][] = [
    ['run_command', { command: { name: 'tool' }, worktreeId, arguments: { a: 'x' } }],
    ['run_command', { command: { name: 'tool' }, worktreeId, mcpPresetIds: [more] }],
    ['run_command', { command: { id: other.id }, worktreeId }],
    ['get_command', { id: own.id }],
    ['get_command', { id: other.id }],
    ['archive_command', { commandId: other.id }],
    ['archive_command', { commandId: own.id }],
  ]
  const lines = calls.map(([tool, input]) => `mcp call ${tool} ${JSON.stringify(input)}`)
  const parent = await startRun(stage.ask, {
    worktreeId,
    prompt: lines.join('\nsay  | \n'),
    mcpPresetIds: [mine],
  })
  const { result } = await succeeded(parent)
  const answers = (result?.text ?? '').split(' | ')
  assert.match(answers[1] ?? '', /FORBIDDEN: .*cancel_run/)
  assert.match(answers[2] ?? '', /FAILED_PRECONDITION/)
  assert.match(answers[3] ?? '', /ARG_A/)
  assert.match(answers[4] ?? '', /FORBIDDEN: .*own repository/)
  assert.match(answers[5] ?? '', /FORBIDDEN: .*own repository/)
  assert.match(answers[6] ?? '', /ARCHIVED/)
  const [childId = ''] = /run_[0-9a-z]{26}/.exec(answers[0] ?? '') ?? []
  const { run: child } = await stage.ask<{ run: CommandRun & { parentRunId: string } }>(
    'query ($id: ID!) { run(id: $id) { parentRunId command { id } } }',
    { id: childId },
  )
  assert.deepEqual([child.parentRunId, child.command.id], [parent.id, own.id])
})
