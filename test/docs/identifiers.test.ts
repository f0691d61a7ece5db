/** The documents for contributors name only identifiers that exist. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDocument, root } from './examples/blocks.ts'

const documents = ['ARCHITECTURE.md', 'GLOSSARY.md', ...globSync('docs/internals/*.md', { cwd: root })].sort()

const rooms = 'actors,clients,docs,gateway,machines,spec,storage,test'
const sources = ['*.{ts,json,mjs}', `{${rooms}}/**/*.{ts,tsx,sql,json,mjs}`]

/** `functionName`, `#field`, `TypeName`, `SETTING`. */
const identifier = /`#?([A-Za-z_]\w{3,})`/g

/** Names of others, and of families of settings whose names are made of those of limits. */
const foreign = /^(LIMIT_\w+|apns2)$/

test('each identifier in the documents for contributors occurs in the code', () => {
  const words = new Set<string>()
  for (const path of globSync(sources, { cwd: root, exclude: ['test/stockClis'] }))
    for (const [word] of readFileSync(join(root, path), 'utf8').matchAll(/\w+/g)) words.add(word)
  const missing = documents.flatMap((path) =>
    [...readDocument(path).matchAll(identifier)].flatMap(([, name = '']) =>
      words.has(name) || foreign.test(name) ? [] : [`${path}: ${name}`],
    ),
  )
  assert.deepEqual([...new Set(missing)], [])
})
