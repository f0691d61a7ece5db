/** The page about push notifications lists each reason. */
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { newsReasons } from '../../spec/devices/news.ts'

test('docs/push.md lists each reason of a notification', () => {
  const [, section = ''] = readFileSync('docs/push.md', 'utf8').split('## Reasons of notifications')
  const rows = [...section.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(
    ([, names = '']) => names.match(/[A-Z_]+/g) ?? [],
  )
  deepEqual(rows.filter((name) => name !== '').sort(), [...newsReasons].sort())
})
