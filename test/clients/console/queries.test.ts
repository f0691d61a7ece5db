/** What the console asks for is in the schema: every document that stands in its sources, found by how it begins. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildSchema, parse, validate } from 'graphql'
import { printCatalogue } from '../../../gateway/graphql/schema/print.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'

const schema = buildSchema(printCatalogue({ operations, objectTypes }))
const document = /^\s*((query|mutation|subscription)\b[\s\S]*\{|\{\s*\w[\s\S]*[({])/
const literal = /`([^`]*)`|'([^'\n]*)'/g
const constant = /const (\w+) =\s*(?:`([^`]*)`|'([^'\n]*)')/g

interface Source {
  readonly path: string
  readonly text: string
  readonly constants: ReadonlyMap<string, string>
}

function sourceOf(path: string): Source {
  const text = readFileSync(path, 'utf8')
  const constants = [...text.matchAll(constant)].map(([, name = '', one, other]) => [name, one ?? other ?? ''] as const)
  return { path, text, constants: new Map(constants) }
}

/** Its texts, with constants in their places: its own, else those that it has from another file. */
function textsOf({ text, constants }: Source, all: ReadonlyMap<string, string>): readonly string[] {
  const whole = (one: string): string =>
    one.replace(/\$\{(\w+)\}/g, (unknown, name) => {
      const known = constants.get(name) ?? all.get(name)
      return known === undefined ? unknown : whole(known)
    })
  return [...text.matchAll(literal)].map(([, one, other]) => whole(one ?? other ?? ''))
}

test('every document of the console fits the schema', () => {
  const wrong: string[] = []
  let documents = 0
  const sources = globSync('clients/console/app/**/*.{ts,tsx}').map(sourceOf)
  const constants = new Map(sources.flatMap((source) => [...source.constants]))
  for (const source of sources) {
    const { path } = source
    for (const text of textsOf(source, constants).filter((one) => document.test(one))) {
      documents++
      try {
        for (const { message } of validate(schema, parse(text))) wrong.push(`${path}: ${message}\n  ${text}`)
      } catch (error) {
        wrong.push(`${path}: ${error}\n  ${text}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(documents > 40, `only ${documents} were found`)
})
