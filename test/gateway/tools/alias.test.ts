/** The names under which tools of external servers are advertised. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { externalAlias } from '../../../gateway/operations/tools/alias.ts'

const server = 'mcs_01kaphzv4hfyy8n2sn3h4c5xjv'
const other = 'mcs_01kaphzvv1e6f9q8gyg6v1kqyz'
const label = (rawName: string) => externalAlias(server, rawName).slice('svc_ext_'.length + 21)

test('an alias has the form svc_ext_<hash>_<label>, and never changes', () => {
  // Runs keep aliases: another value here breaks every run that there is.
  assert.equal(externalAlias(server, 'get-weather'), 'svc_ext_3ca6f597c82940ccbc65_get-weather')
})

for (const [rawName, expected] of [
  ['get_weather', 'get_weather'],
  ['Get Weather!', 'Get_Weather'],
  ['files/read.all', 'files_read_all'],
  ['prüfe größe', 'prufe_gro_e'],
  ['天気', 'tool'],
  ['__', 'tool'],
  ['', 'tool'],
  ['x'.repeat(100), 'x'.repeat(35)],
  [`${'x'.repeat(34)} y`, 'x'.repeat(34)],
] as const)
  test(`the label of ${JSON.stringify(rawName.slice(0, 40))} is ${expected}`, () =>
    assert.equal(label(rawName), expected))

const rawNames = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 300 }),
  // Long ones with a common beginning, whose labels are cut to the same.
  fc
    .tuple(fc.constantFrom('a', 'get_the_', 'ä'), fc.nat(60), fc.string({ maxLength: 5 }))
    .map(([unit, count, end]) => unit.repeat(count) + end),
)

test('clients accept every alias, whatever the name of the tool is', () => {
  fc.assert(
    fc.property(rawNames, (rawName) => {
      assert.match(externalAlias(server, rawName), /^svc_ext_[0-9a-f]{20}_[a-zA-Z0-9-][a-zA-Z0-9_-]{0,34}$/)
    }),
    { numRuns: 5_000 },
  )
})

test('no two tools share an alias, on one server or on two, even if their labels are cut to the same text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(rawNames, { minLength: 2, maxLength: 50 }), (names) => {
      const aliases = [server, other].flatMap((id) => names.map((name) => externalAlias(id, name)))
      assert.equal(new Set(aliases).size, names.length * 2)
    }),
    { numRuns: 500 },
  )
})
