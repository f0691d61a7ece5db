/** Groups that a command marks in its output. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogGroups, maxGroups } from '../../../../clients/console/app/runs/log/logGroups.ts'

function groupsOf(...lines: readonly string[]) {
  const groups = new LogGroups()
  for (const [line, text] of lines.entries()) groups.add(line, text)
  return groups.takeChanged() ?? []
}

test('a group reaches from its title to its end, in the forms of GitHub Actions and of Azure Pipelines', () => {
  assert.deepEqual(groupsOf('before', '::group::Install', 'npm', '::endgroup::', 'after'), [
    { title: 'Install', first: 1, end: 4 },
  ])
  assert.deepEqual(groupsOf('##[group]Test', 'ok', '##[endgroup]'), [{ title: 'Test', first: 0, end: 3 }])
})

test('the next group ends the one before, and the last one is open', () => {
  assert.deepEqual(groupsOf('::group::a', 'one', '::group::b', 'two'), [
    { title: 'a', first: 0, end: 2 },
    { title: 'b', first: 2, end: undefined },
  ])
})

test('an end without a group, and a line that only looks like a mark, change nothing', () => {
  assert.deepEqual(groupsOf('::endgroup::', ' ::group::x', ':: group::y', '# [group]z', '::warning::w'), [])
})

test('a line of another stream that began before a group and ends after it marks nothing', () => {
  const groups = new LogGroups()
  groups.add(5, '::group::a')
  groups.add(3, '::group::early')
  groups.add(8, '::endgroup::')
  groups.add(7, '::group::inside')
  assert.deepEqual(groups.takeChanged(), [{ title: 'a', first: 5, end: 9 }])
})

test('changed groups are reported once, until there is another change', () => {
  const groups = new LogGroups()
  groups.add(0, '::group::a')
  assert.equal(groups.takeChanged()?.length, 1)
  assert.equal(groups.takeChanged(), undefined)
  groups.add(1, 'no mark')
  assert.equal(groups.takeChanged(), undefined)
  groups.add(2, '::endgroup::')
  assert.deepEqual(groups.takeChanged(), [{ title: 'a', first: 0, end: 3 }])
})

test('a log has at most the maximum number of groups', () => {
  const groups = groupsOf(...Array.from({ length: maxGroups + 5 }, (_, index) => `::group::${index}`))
  assert.equal(groups.length, maxGroups)
  assert.equal(groups.at(-1)?.end, maxGroups, 'the next title ended it')
})
