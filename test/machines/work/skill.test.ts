/** A skill, its versions and its archive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SkillContext, skill } from '../../../machines/work/skill.ts'
import { type SkillVersion, skillMembers } from '../../../machines/work/skillKeys.ts'
import { skillVersionsMax } from '../../../spec/work/skills/skillLimits.ts'
import type { SkillContent } from '../../../spec/work/skills/skillVersion.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'

const content = inits.skill.content as unknown as SkillContent
const made = () => new SampleActor<SkillContext>('skill', 'skl_1')
const update = (more: Partial<SkillContent>, expected: object = {}) =>
  ({ type: 'update', content: { ...content, ...more }, author: 'usr_2', ...expected }) as never
const other = { sha256: 'd'.repeat(64), contentId: 'skc_2' }

const versionOf = ({ context }: SampleActor<SkillContext>, number: number) =>
  context.members.get(skillMembers.version(number)) as SkillVersion | undefined

test('each change of the content adds a version, and the former versions stay', () => {
  const one = made()
    .send(update(other))
    .send(update({ name: 'notes', sha256: 'e'.repeat(64), contentId: 'skc_3' }, { expectedRevision: 2 }))
  assert.deepEqual([one.context.revision, one.context.name, one.context.sha256], [3, 'notes', 'e'.repeat(64)])
  assert.deepEqual(
    [1, 2, 3, 4].map((number) => versionOf(one, number)?.contentId),
    ['skc_1', 'skc_2', 'skc_3', undefined],
  )
  assert.deepEqual([versionOf(one, 1)?.author, versionOf(one, 2)?.author], ['usr_1', 'usr_2'])
})

test('each version marks its bytes as used', () => {
  const told = (outcome: ReturnType<SampleActor<SkillContext>['try']>) => {
    assert.equal(outcome.type, 'accepted')
    return JSON.stringify(outcome)
  }
  const one = made()
  assert.match(told(one.try(update(other))), /"kind":"skillContent","id":"skc_2"/)
})

test('an edit of an older revision is refused', () => {
  const one = made().send(update(other))
  const stale = one.try(update({ sha256: 'e'.repeat(64) }, { expectedRevision: 1 }))
  assert.ok(stale.type === 'refused' && stale.code === 'CONFLICT')
})

test('an update with the same files adds no version', () => {
  const one = made()
  assert.equal(one.try(update({ contentId: 'skc_9' })).type, 'repeated')
  assert.equal(one.context.revision, 1)
})

test('an archived skill accepts no change until it is unarchived', () => {
  const one = made().send({ type: 'archive' })
  assert.equal(one.state, 'ARCHIVED')
  assert.equal(one.try(update(other)).type, 'refused')
  one.send({ type: 'unarchive' }).send(update(other))
  assert.deepEqual([one.state, one.context.revision], ['ACTIVE', 2])
})

test(`a skill has at most ${skillVersionsMax} versions`, () => {
  const one = made()
  for (let number = 2; number <= skillVersionsMax; number += 1)
    one.send(update({ sha256: String(number).padStart(64, '0') }))
  const refused = one.try(update(other))
  assert.ok(refused.type === 'refused' && refused.code === 'FAILED_PRECONDITION')
  assert.equal(one.context.revision, skillVersionsMax)
})

test('only an active skill occupies its name in its scope', () => {
  const columnsOf = (value: string, repositoryId: string | null) =>
    skill.columns?.({ value, context: { init: { ...inits.skill, repositoryId }, name: 'notes' } } as never)
  assert.deepEqual(columnsOf('ACTIVE', null), { uniqueKey: 'installation|notes', scopeId: 'installation' })
  assert.deepEqual(columnsOf('ACTIVE', 'rep_1'), { uniqueKey: 'rep_1|notes', scopeId: 'rep_1' })
  assert.equal(columnsOf('ARCHIVED', 'rep_1')?.uniqueKey, undefined)
})

test('a skill is found by its name and its description, never by its files', () => {
  const found = skill.search?.({ value: 'ACTIVE', context: made().context } as never)
  assert.deepEqual(found, { title: 'release-notes', text: 'Writes release notes.' })
})
