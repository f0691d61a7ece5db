/** The credential matrix as the requirements have it, cell by cell. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { scopeAccess } from '../../../gateway/mcp/scope.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import { mainRoutes, type RouteParts } from '../../../gateway/routes.ts'
import { type Access, credentialMatrix } from '../../../spec/core/principal.ts'

/** y: let in. f: a valid credential of another kind, 403. -: no credential, or none that counts here, 401. */
const wanted = `
             user apiKey agent run enrollment anonymous actor
  people     y    y      f     f   -          -          f
  agents     f    f      y     f   -          -          f
  enrolling  f    f      f     f   y          -          f
  sessions   y    f      f     f   -          -          f
  visitors   y    f      f     f   -          y          f
  graphql    y    y      y     f   -          y          f
  mcp        y    y      y     y   -          -          f
  runMcp     f    f      y     y   -          -          f
  ownRuns    f    f      y     y   -          -          f
  crashReporters f y     f     f   -          y          f
  symbolSenders - y      -     -   -          -          f
  public     y    y      y     y   y          y          f
`
const marks = { allowed: 'y', FORBIDDEN: 'f', UNAUTHENTICATED: '-' }

test('each surface allows or refuses each kind of caller as the requirements define', () => {
  const [heads = [], ...rows] = wanted
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
  const table = rows.map(([row, ...cells]) => [row, Object.fromEntries(heads.map((kind, at) => [kind, cells[at]]))])
  const seen = Object.entries(credentialMatrix).map(([row, cells]) => [
    row,
    Object.fromEntries(Object.entries(cells).map(([kind, verdict]) => [kind, marks[verdict]])),
  ])
  assert.deepEqual(Object.fromEntries(seen), Object.fromEntries(table))
})

test('every row of the matrix is the access of an operation or a route, or the access under a scope', () => {
  const routes = mainRoutes({ options: {}, limits: defaultLimits } as unknown as RouteParts)
  const scopes = Object.values(scopeAccess)
  const used = new Set<Access>([...[...operations, ...routes].map(({ access }) => access), ...scopes])
  assert.deepEqual([...used].sort(), Object.keys(credentialMatrix).sort())
})
