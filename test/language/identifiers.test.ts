/** Names in code have no banned words. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { bannedIdentifiers } from './bannedIdentifiers.ts'
import { lineCounter, tokensOf } from './tokens.ts'

const root = resolve(import.meta.dirname, '../..')
const rooms = ['spec', 'machines', 'actors', 'storage', 'gateway', 'clients']

const isName = /^#?[A-Za-z_$][\w$]*$/
const wordOfName = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** One line for each place of a name that has a banned word. */
function findBannedNames(file: string, source: string): readonly string[] {
  const lineAt = lineCounter(source)
  return [...tokensOf(source)].flatMap(({ start, end }) => {
    const text = source.slice(start, end)
    if (!isName.test(text)) return []
    const name = text.replace('#', '')
    const words = (name.match(wordOfName) ?? []).join(' ').toLowerCase()
    return bannedIdentifiers
      .filter(({ pattern, except = {} }) => pattern.test(words) && !Object.hasOwn(except, name))
      .map(({ instead }) => `${file}:${lineAt(start)}: "${name}": use ${instead}`)
  })
}

for (const room of rooms) {
  test(`${room}: names have no banned words`, () => {
    const files = globSync(`${room}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules'] }).sort()
    assert.ok(files.length > 50, String(files.length))
    const found = files.flatMap((file) => findBannedNames(file, readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(found, [])
  })
}

test('the scanner splits names into words, and finds no words in texts and comments', () => {
  const source = "const underWay = 'nobody' // told\nclass A { #isToldAgain = 1 }\nconst NOBODY = 65534"
  assert.deepEqual(findBannedNames('x.ts', source), [
    'x.ts:1: "underWay": use in flight, active',
    'x.ts:2: "isToldAgain": use sent, reported, text',
  ])
})
