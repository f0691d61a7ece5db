/** The changes of a run must fit into events that the control plane accepts, whatever the names and the texts are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changes } from '../../../clients/agent/changes/changes.ts'
import { toChangesEvents } from '../../../clients/agent/changes/changesEvents.ts'

/** The control plane accepts this many characters of an event’s data as JSON. */
const eventMax = 256 * 1024

const changesWith = (more: Partial<Changes>): Changes => ({
  commits: [],
  omitted: 0,
  files: [],
  omittedFiles: 0,
  diff: '',
  omittedFromDiff: [],
  ...more,
})

test('events with the longest names, subjects and texts stay within the limit, with the whole diff and the right counts', () => {
  const odd = '\u0001'
  const files = Array.from({ length: 2_000 }, (_, n) => ({
    path: `${odd.repeat(600)}${n}`,
    status: 'ADDED' as const,
    content: 'TEXT' as const,
    added: 2,
    removed: 1,
  }))
  const commits = Array.from({ length: 100 }, () => ({
    id: 'a'.repeat(64),
    author: odd.repeat(500),
    authoredAt: '2026-11-24T00:00:00Z',
    subject: odd.repeat(500),
  }))
  const diff = odd.repeat(256 * 1024)
  const omittedFromDiff = files.map(({ path }) => path)
  const events = toChangesEvents(
    changesWith({ files, commits, omitted: 5, omittedFiles: 7, diff, omittedFromDiff }),
    'c',
    true,
  )
  for (const { type, data } of events) {
    const { length } = JSON.stringify(data)
    assert.ok(length <= eventMax, `${type} has ${length} characters`)
  }
  const [first, ...parts] = events
  const { fileCount, commitCount, addedLines, removedLines, omittedFromDiffCount, isShared } = first?.data ?? {}
  assert.deepEqual(
    { fileCount, commitCount, addedLines, removedLines, omittedFromDiffCount, isShared },
    {
      fileCount: 2_007,
      commitCount: 105,
      addedLines: 4_000,
      removedLines: 2_000,
      omittedFromDiffCount: 2_000,
      isShared: true,
    },
  )
  assert.equal(parts.map(({ data }) => data.text).join(''), diff)
})
