/** The versions of skills that an agent reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentMembers } from '../../../machines/agents/agentKeys.ts'
import { type HeldSkill, hasSkills, noteSkills, type ReportedSkill } from '../../../machines/agents/agentSkills.ts'
import { Members } from '../../../machines/framework/members.ts'

const version = (skillId: string, number: number, problem: string | null = null): ReportedSkill => ({
  skillId,
  version: number,
  sha256: String(number).repeat(64).slice(0, 64),
  problem,
})
const held = (members: Members, skillId: string) =>
  ((members.get(agentMembers.skill.toKey(skillId)) ?? []) as readonly HeldSkill[]).map(
    ({ version: number, since, problem }) => [number, since, problem],
  )

test('a version keeps the time of its first report, and the newest is the last', () => {
  const first = noteSkills(Members.empty, [version('skl_1', 1)], 10)
  const second = noteSkills(first, [version('skl_1', 2), version('skl_1', 1), version('skl_2', 1)], 20)
  assert.deepEqual(held(second, 'skl_1'), [
    [1, 10, null],
    [2, 20, null],
  ])
  assert.deepEqual(held(second, 'skl_2'), [[1, 20, null]])
})

test('a report replaces the former one, and other members stay', () => {
  const before = noteSkills(Members.empty.with('clis', []), [version('skl_1', 1), version('skl_2', 1)], 10)
  const after = noteSkills(before, [version('skl_2', 1, 'the disk is full')], 20)
  assert.deepEqual([held(after, 'skl_1'), held(after, 'skl_2')], [[], [[1, 20, 'the disk is full']]])
  assert.deepEqual(after.get('clis'), [])
})

test('the same report again changes nothing', () => {
  const one = noteSkills(Members.empty, [version('skl_1', 1)], 10)
  assert.equal(hasSkills(one, [version('skl_1', 1)]), true)
  assert.equal(noteSkills(one, [version('skl_1', 1)], 20), one)
  assert.equal(hasSkills(one, []), false)
  assert.equal(hasSkills(one, [version('skl_1', 1), version('skl_1', 2)]), false)
})
