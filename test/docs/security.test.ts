/** `docs/security.md` answers every item that it lists, and the tests that it names exist. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDocument, root } from './examples/blocks.ts'

/** Levels 1 and 2 of OWASP ASVS 5.0.0, by section, with how many each has: the items are numbered by their level, the lower ones first. */
const sections: Readonly<Record<string, number>> = {
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '6.1': 3,
  '6.2': 11,
  '6.3': 3,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 3,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
}

const rows = readDocument('docs/security.md')
  .split('\n')
  .map((line) => line.split(' | '))
  .filter(([item = '']) => /^\| \d+\.\d+\.\d+$/.test(item))

test('docs/security.md has every item of its chapters, once and in order', () => {
  const wanted = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, n) => `${section}.${n + 1}`),
  )
  assert.deepEqual(
    rows.map(([item = '']) => item.slice(2)),
    wanted,
  )
})

test('each item has a proof, and each test that a proof names exists', () => {
  const missing = rows.flatMap(([item, , proof = '']) => {
    const reasons = /^(documentation|there is nothing to test|not ours|\[.+not tested, since)/
    const named = [...proof.matchAll(/`((?:test|gateway)\/[^`]+)`(?: “([^”]+)”)?/g)]
    if (named.length === 0) return reasons.test(proof) ? [] : [`${item}: no proof`]
    return named.flatMap(([, file = '', title]) => {
      const path = join(root, file)
      if (!existsSync(path)) return [`${item}: ${file} is not there`]
      const source = readFileSync(path, 'utf8').replaceAll("\\'", "'")
      return title === undefined || source.includes(title) ? [] : [`${item}: ${file} has no “${title}”`]
    })
  })
  assert.deepEqual(missing, [])
})
