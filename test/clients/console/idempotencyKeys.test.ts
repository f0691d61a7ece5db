/** A request that creates something has an idempotency key, so that a repeat after a lost answer creates nothing twice. */
import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { operations } from '../../../gateway/operations/operations.ts'

/** Operations that the console sends without a key, each with the reason. */
const withoutKey: Readonly<Record<string, string>> = {
  createEnrollmentToken: 'A repeat with a key does not get the command again. A token that was not used expires.',
  deleteIntegration: 'A repeat deletes nothing else.',
  deleteMcpToolPreset: 'A repeat deletes nothing else.',
  finishIntegrationRotation: 'A repeat finds it finished.',
  performOperatorAction: 'A repeat names a sequence that has passed.',
  performOperatorActions: 'A repeat names sequences that have passed.',
  replaceSigningAsset: 'A repeat names a revision that has passed.',
  saveCodebaseRepositoryPreparations: 'A repeat saves the same.',
  updateMcpToolPreset: 'A repeat names a revision that has passed.',
}

const takesKey = ({ kind, input }: (typeof operations)[number]) =>
  kind === 'mutation' && input !== undefined && 'idempotencyKey' in ((input as { entries?: object }).entries ?? {})
const withKey = operations.filter(takesKey).map(({ name }) => name)

const sources = globSync('clients/console/app/**/*.{ts,tsx}').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const document = /(export )?const (\w+) =\s*graphql\(\s*[`'](mutation[^`']*)/g

/** The files that send a mutation, and its name. */
const uses = sources.flatMap((source) =>
  [...source.text.matchAll(document)].flatMap(([, isExported, constant = '', query = '']) => {
    const operation = withKey.find((name) => new RegExp(`\\b${name}\\(`).test(query))
    if (operation === undefined) return []
    const call = new RegExp(`\\(\\s*${constant},`)
    const imported = new RegExp(`import \\{[^}]*\\b${constant}\\b[^}]*\\} from '[^']*/${basename(source.path)}'`)
    const senders = sources.filter((one) => one === source || (isExported && imported.test(one.text)))
    return senders.filter(({ text }) => call.test(text)).map((sender) => ({ operation, ...sender }))
  }),
)

test('each request of the console that creates something has an idempotency key', () => {
  ok(uses.length > 25, `only ${uses.length} requests were found`)
  const missing = uses.filter(({ operation, text }) => !(operation in withoutKey) && !text.includes('idempotencyKey'))
  deepEqual(
    missing.map(({ path, operation }) => `${path}: ${operation}`),
    [],
  )
})
