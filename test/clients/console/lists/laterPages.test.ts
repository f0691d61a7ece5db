/** Pages behind the first one, while rows come and go before them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ConnectionPage,
  type LaterPages,
  maxGapPages,
  readGap,
  rereadPages,
} from '../../../../clients/console/app/data/laterPages.ts'

const size = 10

/** Pages of the current rows, newest first. A cursor is the row after which the page begins. */
function list(newest: number, oldest = 1) {
  const rows = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
  let asked = 0
  const pageAfter = async (cursor: string | null): Promise<ConnectionPage<number>> => {
    asked++
    const from = cursor === null ? 0 : rows.filter((row) => row >= Number(cursor)).length
    const nodes = rows.slice(from, from + size)
    return {
      nodes,
      pageInfo: { hasNextPage: from + size < rows.length, endCursor: nodes.length ? String(nodes.at(-1)) : null },
    }
  }
  return { pageAfter, asked: () => asked }
}

/** The rows of a client that has read some pages after the first. */
async function readPages(newest: number, pages: number): Promise<LaterPages<number>> {
  const { pageAfter } = list(newest)
  let page = await pageAfter(null)
  const after = page.pageInfo.endCursor
  const nodes: number[] = []
  for (let count = 0; count < pages; count++) {
    page = await pageAfter(page.pageInfo.endCursor)
    nodes.push(...page.nodes)
  }
  return { after, nodes, pageInfo: page.pageInfo }
}

/** @returns all rows that are shown, each once */
async function shown(behind: LaterPages<number>, newest: number, oldest?: number) {
  const { pageAfter, asked } = list(newest, oldest)
  const first = await pageAfter(null)
  const joined = await readGap(first, behind, String, pageAfter)
  return { joined, rows: [...new Set([...first.nodes, ...(joined?.nodes ?? [])])], asked: asked() - 1 }
}

const downTo = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)

test('without new rows, no page is read', async () => {
  const behind = await readPages(100, 2)
  const { joined, rows, asked } = await shown(behind, 100)
  assert.equal(joined, behind)
  assert.deepEqual({ rows, asked }, { rows: downTo(100, 71), asked: 0 })
})

for (const come of [1, 9, 10, 11, 37, 49])
  test(`${come} new rows: all rows between them and the known rows are read`, async () => {
    const { rows, asked } = await shown(await readPages(100, 2), 100 + come)
    assert.deepEqual(rows, downTo(100 + come, 71))
    assert.ok(asked <= Math.ceil(come / size), `asked ${asked} times`)
  })

test('after more new rows than are read at once, the list continues behind the rows that were read', async () => {
  const { joined, rows, asked } = await shown(await readPages(100, 2), 1_000)
  assert.deepEqual(rows, downTo(1_000, 1_000 - (maxGapPages + 1) * size + 1))
  assert.deepEqual(joined?.pageInfo, { hasNextPage: true, endCursor: String(rows.at(-1)) })
  assert.equal(asked, maxGapPages)
})

test('if rows of the first page are gone, the rows behind it move up without a read', async () => {
  const { rows, asked } = await shown(await readPages(100, 2), 96)
  assert.deepEqual({ rows, asked }, { rows: downTo(96, 71), asked: 0 })
})

test('if one page is left, there are no later pages', async () => {
  const { joined, rows } = await shown(await readPages(100, 2), 100, 95)
  assert.equal(joined, undefined)
  assert.deepEqual(rows, downTo(100, 95))
})

test('if all known rows are gone, the current rows are read to their end', async () => {
  const { joined, rows } = await shown(await readPages(100, 2), 160, 136)
  assert.deepEqual(rows, downTo(160, 136))
  assert.equal(joined?.pageInfo.hasNextPage, false)
})

test('the later pages are read again as far as they were loaded, also if rows are gone', async () => {
  const later = await readPages(100, 3)
  const { pageAfter, asked } = list(100)
  const again = await rereadPages(later, pageAfter)
  assert.deepEqual(again, later)
  assert.equal(asked(), 3)
  const shorter = list(100, 75)
  assert.deepEqual((await rereadPages(later, shorter.pageAfter)).nodes.at(-1), 75)
})
