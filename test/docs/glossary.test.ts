/** The glossary stays short, and each type, function and table that it names exists. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDocument, root } from './examples/blocks.ts'

const mostEntries = 70

interface GlossaryEntry {
  readonly term: string
  /** The third column. */
  readonly place: string
}

const entries = [...readDocument('GLOSSARY.md').matchAll(/^\| \*\*(.+?)\*\* \| .+ \| (.+) \|$/gm)].map(
  ([, term = '', place = '']): GlossaryEntry => ({ term, place }),
)

/** Says what is wrong with the place that an entry names. */
function checkPlace(place: string): string | undefined {
  const [, table] = /^table `(\w+)`$/.exec(place) ?? []
  if (table !== undefined) {
    const schema = readFileSync(join(root, 'storage/schema.sql'), 'utf8')
    return schema.includes(`\ncreate table ${table} (`) ? undefined : `there is no table ${table}`
  }
  const [, name, file] = /^`(\w+)` in `([\w./-]+)`$/.exec(place) ?? []
  if (name === undefined || file === undefined) return `"${place}" must be a table, or a name in a file`
  if (!existsSync(join(root, file))) return `${file} does not exist`
  const declaration = new RegExp(`^export (?:async )?(?:class|interface|type|const|function) ${name}\\b`, 'm')
  return declaration.test(readFileSync(join(root, file), 'utf8')) ? undefined : `${file} does not export ${name}`
}

test(`the glossary has at most ${mostEntries} entries`, () => {
  assert.ok(entries.length >= 20 && entries.length <= mostEntries, String(entries.length))
})

test('no term of the glossary has two entries', () => {
  assert.equal(new Set(entries.map(({ term }) => term.toLowerCase())).size, entries.length)
})

test('each type, function and table that the glossary names exists', () => {
  const wrong = entries.map(({ term, place }) => ({ term, problem: checkPlace(place) }))
  assert.deepEqual(
    wrong.filter(({ problem }) => problem !== undefined),
    [],
  )
})
