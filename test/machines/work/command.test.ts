/** A command, its versions and its archive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandContext, command, versionsMax } from '../../../machines/work/command.ts'
import { type CommandVersion, commandMembers } from '../../../machines/work/commandKeys.ts'
import type { CommandContent } from '../../../spec/work/commands/content.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'

const content = inits.command.content as unknown as CommandContent
const made = () => new SampleActor<CommandContext>('command', 'cmd_1')
const update = (more: Partial<CommandContent>, expected: object = {}) =>
  ({ type: 'update', content: { ...content, ...more }, author: 'usr_2', ...expected }) as never

const versionOf = ({ context }: SampleActor<CommandContext>, number: number) =>
  context.members.get(commandMembers.version(number)) as CommandVersion | undefined

test('each change of the content adds a version, and the former versions stay', () => {
  const one = made()
    .send(update({ template: 'Read {{branch}}.' }))
    .send(update({ name: 'read' }, { expectedRevision: 2 }))
  assert.deepEqual([one.context.revision, one.context.name], [3, 'read'])
  assert.deepEqual(
    [1, 2, 3, 4].map((number) => versionOf(one, number)?.template),
    ['Review {{branch}}.', 'Read {{branch}}.', 'Review {{branch}}.', undefined],
  )
  assert.deepEqual([versionOf(one, 1)?.author, versionOf(one, 2)?.author], ['usr_1', 'usr_2'])
})

test('an edit of an older revision is refused', () => {
  const one = made().send(update({ name: 'read' }))
  const stale = one.try(update({ name: 'late' }, { expectedRevision: 1 }))
  assert.ok(stale.type === 'refused' && stale.code === 'CONFLICT')
})

test('an update with the same content adds no version', () => {
  const one = made()
  const arguments_ = content.arguments.map(({ required, ...rest }) => ({ required, ...rest }))
  assert.equal(one.try(update({ arguments: arguments_ })).type, 'repeated')
  assert.equal(one.context.revision, 1)
})

test('an archived command accepts no change until it is unarchived', () => {
  const one = made().send({ type: 'archive' })
  assert.equal(one.state, 'ARCHIVED')
  assert.equal(one.try(update({ name: 'read' })).type, 'refused')
  one.send({ type: 'unarchive' }).send(update({ name: 'read' }))
  assert.deepEqual([one.state, one.context.revision], ['ACTIVE', 2])
})

test(`a command has at most ${versionsMax} versions`, () => {
  const one = made()
  for (let number = 2; number <= versionsMax; number += 1) one.send(update({ description: `change ${number}` }))
  const refused = one.try(update({ description: 'one more' }))
  assert.ok(refused.type === 'refused' && refused.code === 'FAILED_PRECONDITION')
  assert.equal(one.context.revision, versionsMax)
})

test('only an active command occupies its name in its scope', () => {
  const columnsOf = (value: string, repositoryId: string | null) =>
    command.columns?.({ value, context: { init: { ...inits.command, repositoryId }, name: 'review' } } as never)
  assert.equal(columnsOf('ACTIVE', null)?.uniqueKey, 'installation|review')
  assert.deepEqual(columnsOf('ACTIVE', 'rep_1'), { uniqueKey: 'rep_1|review', scopeId: 'rep_1' })
  assert.equal(columnsOf('ARCHIVED', 'rep_1')?.uniqueKey, undefined)
})

test('a command is found by its name and its description, never by its template', () => {
  const found = command.search?.({ value: 'ACTIVE', context: made().context } as never)
  assert.deepEqual(found, { title: 'review', text: 'Reviews a branch.' })
})
