/** The operations of the console: each is a typed document, and fits the schema. The compiler checks fields alone, so arguments are checked here. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildSchema, NoUnusedFragmentsRule, parse, specifiedRules, validate } from 'graphql'
import { printCatalog } from '../../../gateway/graphql/schema/print.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'

/** Mutations that a person may send, but not on a page, each with the reason. */
const notOnPages: Readonly<Record<string, string>> = {
  recordCrashReport: 'Programs send crash reports.',
  recordDsym: 'Build machines send dSYMs.',
}

const schema = buildSchema(printCatalog({ operations, objectTypes }))
/** A fragment that several operations share is checked by itself too. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule)

const typed = /\bgraphql\(\s*(?:`([^`]*)`|'([^'\n]*)')/g
const operation = /^\s*((query|mutation|subscription)\b[\s\S]*\{|\{\s*\w[\s\S]*[({])/
const literal = /`([^`]*)`|'([^'\n]*)'/g

const sources = globSync('clients/console/app/**/*.{ts,tsx}').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const documents = sources.flatMap(({ path, text }) =>
  [...text.matchAll(typed)].map(([, one, other]) => ({ path, text: one ?? other ?? '' })),
)
const fragments = new Map(
  documents.flatMap(({ text }) => {
    const [, name] = /^fragment (\w+) /.exec(text) ?? []
    return name === undefined ? [] : [[name, text] as const]
  }),
)

/** A document with the fragments that it uses, each once. */
function complete(text: string, used = new Set<string>()): string {
  const names = [...text.matchAll(/\.\.\.(\w+)/g)].map(([, name = '']) => name)
  const parts = [...new Set(names)]
    .filter((name) => fragments.has(name) && !used.has(name))
    .map((name) => {
      used.add(name)
      return complete(fragments.get(name) ?? '', used)
    })
  return [text, ...parts].join('\n')
}

test('every document of the console fits the schema', () => {
  const wrong: string[] = []
  for (const { path, text } of documents) {
    try {
      for (const { message } of validate(schema, parse(complete(text)), rules))
        wrong.push(`${path}: ${message}\n  ${text}`)
    } catch (error) {
      wrong.push(`${path}: ${error}\n  ${text}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(documents.length > 40, `only ${documents.length} were found`)
})

test('every mutation that a person may send is on a page, or has a reason why not', () => {
  const sent = new Set(
    documents.flatMap(({ text }) => [...text.matchAll(/\b(\w+)\s*\(\s*input:/g)].map(([, name]) => name)),
  )
  const forPeople = operations.filter(
    ({ kind, access }) => kind === 'mutation' && ['people', 'sessions'].includes(access),
  )
  const missing = forPeople.map(({ name }) => name).filter((name) => !sent.has(name))
  assert.deepEqual(missing.sort(), Object.keys(notOnPages).sort())
})

test('every operation of the console is a typed document', () => {
  const untyped = sources.flatMap(({ path, text }) =>
    [...text.replace(typed, '').matchAll(literal)]
      .map(([, one, other]) => one ?? other ?? '')
      .filter((candidate) => operation.test(candidate))
      .map((candidate) => `${path}: ${candidate}`),
  )
  assert.deepEqual(untyped, [])
})
