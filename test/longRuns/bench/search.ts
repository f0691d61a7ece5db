/**
 * The duration of a search among many documents: each kind of query one after the other, and by several concurrent clients.
 * node test/longRuns/bench/search.ts [--documents 200000] [--rounds 40] [--clients 4]
 */
import { parseArgs } from 'node:util'
import type { ActorKind } from '../../../spec/core/ids.ts'
import { openStorage } from '../../../storage/open.ts'
import { connect } from '../../../storage/sql/sql.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { newId } from '../../kit/runtime/writes.ts'
import { manyDocuments } from './support/documents.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '40' },
    clients: { type: 'string', default: '4' },
  },
})
const count = Number(values.documents)
const rounds = Number(values.rounds)
const clients = Number(values.clients)

printMachine()
const database = await testDatabase('embedded')
const storage = await openStorage({ ...database.target, owner: 'bench', log: () => {} })
try {
  const began = performance.now()
  const ids = new Map<ActorKind, string>()
  for (const batch of manyDocuments(count, 500)) {
    const rows = batch.map(({ kind, found }) => {
      const id = newId(kind)
      ids.set(kind, id)
      return { ref: { kind, id }, document: { version: 1, found } }
    })
    await storage.searchIndex.fill(rows)
  }
  const seconds = (performance.now() - began) / 1_000
  console.log(`${count} documents in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`)
  const sql = connect(database.target, { name: 'bench', max: 1 })
  // Autovacuum would do it within minutes.
  await sql.unsafe('vacuum analyze search_document')
  const [size] = await sql<{ table: string; indexes: string }[]>`
    select pg_size_pretty(pg_table_size('search_document')) as "table",
      pg_size_pretty(pg_indexes_size('search_document')) as indexes`
  console.log(`The table takes ${size?.table}, its indexes ${size?.indexes}.`)
  await sql.end()

  const questions: Readonly<Record<string, { text: string; kinds?: readonly ActorKind[] }>> = {
    'an ID': { text: ids.get('run') ?? '' },
    'a whole title': { text: 'orders-7' },
    'one rare word': { text: 'quetzalcoatl' },
    'words of a title': { text: 'fix login checkout' },
    'a path': { text: 'src/orders-7/gateway' },
    'a beginning': { text: 'chec' },
    'two letters': { text: 'lo' },
    'a word in most documents': { text: 'the' },
    'a frequent word of a rare kind': { text: 'mac', kinds: ['agent'] },
    'two frequent words, never together': { text: 'feature fix' },
    'a typo': { text: 'quetzalcotl' },
    'a frequent word with a typo': { text: 'chekout' },
    'the middle of a word': { text: 'heckou' },
    'a typo in a rare kind': { text: 'buld-mac', kinds: ['agent'] },
    'words in no document': { text: 'zzyzx qwrty' },
    'a sentence': { text: 'where did the checkout page crash after the last deployment of the payments service' },
  }
  const ask = async (question: { text: string; kinds?: readonly ActorKind[] }) => {
    const at = performance.now()
    const hits = await storage.views.search({ ...question, limit: 51 })
    return { ms: performance.now() - at, hits: hits.length, best: hits[0]?.match ?? '' }
  }
  const table = []
  const all: number[] = []
  for (const [title, question] of Object.entries(questions)) {
    const first = await ask(question)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push((await ask(question)).ms)
    all.push(...times)
    table.push({ question: title, hits: first.hits, best: first.best, ...percentiles(times) })
  }
  table.push({ question: 'all of them', hits: '', best: '', ...percentiles(all) })
  const together: number[] = []
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const list = Object.values(questions)
      for (let round = 0; round < rounds * 2; round++) {
        together.push((await ask(list[(round + client * 3) % list.length] ?? { text: 'x' })).ms)
      }
    }),
  )
  table.push({ question: `all of them, ${clients} at once`, hits: '', best: '', ...percentiles(together) })
  printTable(table)
} finally {
  await storage.close()
  await database.drop()
  await stopServers()
}

function percentiles(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'most ms': sorted.at(-1) ?? 0 }
}
