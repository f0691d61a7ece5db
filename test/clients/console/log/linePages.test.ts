/** The pages of lines that a log view keeps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LinePages } from '../../../../clients/console/app/runs/log/linePages.ts'
import type { LogLine } from '../../../../clients/console/app/runs/log/logLines.ts'

const pageSize = 200
const maxPages = 40

const toLine = (text: string): LogLine => ({ text, omitted: 0, stream: 'STDOUT', at: undefined })

/** Pages whose requests are answered at once. */
function openPages() {
  const requested: number[] = []
  const pages = new LinePages((from) => {
    requested.push(from)
    pages.put(
      from,
      Array.from({ length: pageSize }, (_, index) => toLine(`line ${from + index}`)),
    )
  })
  return { pages, requested }
}

test('a line is requested with its page, once', () => {
  const { pages, requested } = openPages()
  pages.at(250)
  assert.deepEqual(pages.at(399), toLine('line 399'))
  assert.deepEqual(requested, [200])
})

test('changed lines are requested again, and their old content is returned until then', () => {
  const reads: number[] = []
  const pages = new LinePages((from) => reads.push(from))
  pages.at(0)
  pages.put(0, [toLine('old')])
  pages.markOutdated(10)
  assert.deepEqual(pages.at(0), toLine('old'))
  assert.deepEqual(reads, [0, 0])
})

test('the pages that were used last are kept, however long ago they were first requested', () => {
  const { pages, requested } = openPages()
  for (let page = 0; page < maxPages * 2; page++) {
    pages.at(page * pageSize)
    // The first page stays in use.
    pages.at(0)
  }
  assert.deepEqual(
    requested,
    Array.from({ length: maxPages * 2 }, (_, page) => page * pageSize),
  )
  pages.at(pageSize)
  assert.equal(requested.at(-1), pageSize, 'the second page was removed')
})
