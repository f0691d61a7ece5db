/** Every route that is served over HTTP is declared, and every declared route is served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { agentRoutes, mainRoutes, type RouteParts } from '../../../gateway/routes.ts'
import { locales } from '../../../spec/pages/locales.ts'
import { consolePaths, pagePaths, pathOf } from '../../../spec/pages/pagePaths.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'

const names = Object.keys(pagePaths) as readonly (keyof typeof pagePaths)[]
const pages = names.flatMap((name) => [
  pagePaths[name],
  ...locales.map((locale) => pathOf(name, { locale, localized: true })),
])

/** Paths that do not belong to the REST interface, each with the reason. */
const undeclared: Readonly<Record<string, string>> = {
  'POST /api/graphql': 'GraphQL has a schema of its own',
  'GET /api/graphql': 'GraphQL has a schema of its own',
  'POST /api/mcp': 'MCP is a protocol of its own',
  'GET /api/public/agent/signalbox-agent.mjs': 'a program to download',
  'GET /api/public/dsym/signalbox-dsym.mjs': 'a program to download',
  'GET /assets/{file}': 'a file of the pages',
  'GET /charts/{locale}/{form}/{kind}/{hash}': 'a drawing on a page',
  ...Object.fromEntries([...pages, ...consolePaths].map((path) => [`GET ${path}`, 'a page for people'])),
}

// Routes are only listed here; what they would need to be called is not asked for.
const parts = { options: { site: {} }, limits: defaultLimits } as unknown as RouteParts
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`
const served = mainRoutes(parts).map(nameOf)
const declared = restRoutes.map(nameOf)

test('every declared route is served', () => {
  assert.deepEqual(
    declared.filter((name) => !served.includes(name)),
    [],
    'declared in spec/rest, but no handler is given to it',
  )
})

test('every served route is declared, or is listed here with a reason', () => {
  assert.deepEqual(
    served.filter((name) => !declared.includes(name)).sort(),
    Object.keys(undeclared).sort(),
    'declare it in spec/rest, or list it above with the reason why it is not part of the REST interface',
  )
})

test('the main listener serves every route of the agents’ listener except GraphQL', () => {
  const own = agentRoutes(parts).map(nameOf)
  assert.deepEqual(
    own.filter((name) => !served.includes(name)),
    ['POST /graphql', 'GET /graphql'],
  )
})

test('names and paths are unique, and each route declares its responses', () => {
  assert.equal(new Set(restRoutes.map(({ name }) => name)).size, restRoutes.length)
  assert.equal(new Set(declared).size, declared.length)
  for (const { name, answers, summary } of restRoutes) {
    assert.match(name, /^[a-z][A-Za-z]+$/)
    const statuses = Object.keys(answers).map(Number)
    assert.ok(statuses.length > 0, `${name} answers nothing`)
    assert.ok(
      statuses.every((status) => status >= 200 && status < 400),
      `${name}: a refusal is no answer`,
    )
    assert.match(summary, /[^.]$/, `${name}: a summary is no sentence`)
  }
})

test('a route whose query can be refused declares the code of the refusal', () => {
  for (const { name, query, queryRefusal } of restRoutes) {
    if (!query || queryRefusal) continue
    for (const text of [undefined, '', '\u0000', 'maybe', '-1']) {
      const fields = Object.keys(query.entries).map((field) => [field, text])
      const given = text === undefined ? {} : Object.fromEntries(fields)
      assert.ok(v.safeParse(query, given).success, `${name} refuses "${text}" and has no queryRefusal`)
    }
  }
})
