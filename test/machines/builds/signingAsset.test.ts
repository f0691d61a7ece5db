/** A signing asset: users are notified before it expires and when it has expired, once for each file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signingAsset } from '../../../machines/builds/signing/signingAsset.ts'
import type { SigningFacts } from '../../../spec/builds/signing/signingFacts.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const day = 86_400_000
const file = { fileName: 'a.p12', size: 1, hasPassword: false }
const stored = (days: number | null, time = at) => ({
  ...{ type: 'store', at: time, sealed: 'sealed', devices: [], file },
  facts: { expiresAt: days === null ? null : at + days * day } as SigningFacts,
})
const asset = (days: number | null) => new SampleActor('signingAsset', 'sig_1').send(stored(days))
const timer = (delay: 'notice' | 'expiry', state: string) => `xstate.after.${delay}.signingAsset.ACTIVE.${state}`

/** Returns the news that an event sends. */
function announced(one: SampleActor, event: { readonly type: string; readonly at: number }) {
  const result = one.try(event)
  assert.ok(result.type === 'accepted', JSON.stringify(result))
  return result.actions.filter(({ type }) => type === 'notify').map(({ params }) => params)
}
const news = (item: string, time: number) => [{ reason: 'ACTION_NEEDED', item, at: time, name: 'Release' }]

test('users are notified 30 days before the expiry, and at the expiry', () => {
  const one = asset(90)
  assert.deepEqual(one.timers, [{ event: timer('notice', 'VALID'), due: at + 60 * day }])
  const notice = at + 60 * day
  assert.deepEqual(
    announced(one, { type: timer('notice', 'VALID'), at: notice }),
    news('SIGNING_ASSET_EXPIRING', notice),
  )
  assert.deepEqual(one.timers, [{ event: timer('expiry', 'EXPIRING'), due: at + 90 * day }])
  const expiry = at + 90 * day
  assert.deepEqual(
    announced(one, { type: timer('expiry', 'EXPIRING'), at: expiry }),
    news('SIGNING_ASSET_EXPIRED', expiry),
  )
  assert.deepEqual(one.timers, [])
})

test('users are notified once of a file that has already expired', () => {
  const one = asset(-1)
  assert.deepEqual(one.timers, [{ event: timer('notice', 'VALID'), due: at }])
  assert.deepEqual(announced(one, { type: timer('notice', 'VALID'), at }), news('SIGNING_ASSET_EXPIRED', at))
  assert.deepEqual(one.timers, [])
})

test('a renewed file has its own deadlines, and a file that does not expire has none', () => {
  const one = asset(10)
  one.send({ type: timer('notice', 'VALID'), at })
  one.send(stored(400))
  assert.deepEqual(one.timers, [{ event: timer('notice', 'VALID'), due: at + 370 * day }])
  one.send(stored(500))
  assert.deepEqual(one.timers, [{ event: timer('notice', 'VALID'), due: at + 470 * day }])
  one.send(stored(null))
  assert.deepEqual([one.timers, asset(null).timers], [[], []])
})

test('an asset of the first version starts its deadlines when it is migrated', () => {
  const old = { value: 'ACTIVE', context: {} }
  assert.deepEqual(signingAsset.migrations?.[1]?.(old), { value: { ACTIVE: 'LASTING' }, context: {} })
  assert.deepEqual(signingAsset.migrations?.[1]?.({ ...old, value: 'EMPTY' }).value, 'EMPTY')
  const one = asset(90)
  one.send({ type: 'migrated', at: at + day })
  assert.deepEqual(one.timers, [{ event: timer('notice', 'VALID'), due: at + 60 * day }])
})
