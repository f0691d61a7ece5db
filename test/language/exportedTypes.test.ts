/** A type's name is unique in its room, so that it has one meaning without its import path. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

/** The rooms in which the names are unique. */
const rooms = ['spec', 'machines', 'actors', 'storage', 'gateway']

const declaration = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm

for (const room of rooms) {
  test(`${room}: no two exported types have one name`, () => {
    const files = globSync(`${room}/**/*.ts`, { cwd: root }).sort()
    const declared = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(declaration)].map(([, name]) => ({ name, file })),
    )
    assert.ok(declared.length > 50, String(declared.length))
    const repeated = [...Map.groupBy(declared, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
    assert.deepEqual(repeated, [])
  })
}
