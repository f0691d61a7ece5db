/** The stores of the whole page: the connection, the session, the address, the Action Center, and the notifications. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { actionCenterStore } from '../../../../clients/console/app/state/actionCenterStore.ts'
import { connectionStore } from '../../../../clients/console/app/state/connectionStore.ts'
import { locationStore } from '../../../../clients/console/app/state/locationStore.ts'
import { sessionStore } from '../../../../clients/console/app/state/sessionStore.ts'
import { unreadNotificationsStore } from '../../../../clients/console/app/state/unreadNotificationsStore.ts'

const openedPages: string[] = []
Object.defineProperty(globalThis, 'location', {
  value: { pathname: '/runs', search: '?status=FAILED', assign: (address: string) => openedPages.push(address) },
})

beforeEach(() => {
  openedPages.length = 0
})

test('updates may have been missed after a reconnect, but not after the first connect', () => {
  const counts: [string, number][] = []
  const note = () => {
    const { status, resyncCount } = connectionStore.getSnapshot().context
    counts.push([status, resyncCount])
  }
  note()
  connectionStore.trigger.connected()
  note()
  connectionStore.trigger.disconnected({ at: 1_000 })
  note()
  connectionStore.trigger.connected()
  note()
  connectionStore.trigger.updatesMissed()
  note()
  assert.deepEqual(counts, [
    ['connecting', 0],
    ['live', 0],
    ['reconnecting', 0],
    ['live', 1],
    ['live', 2],
  ])
})

test('requests wait for the replacement of the session, also if it fails', async () => {
  const before = sessionStore.getSnapshot().context.replacement
  sessionStore.trigger.replaced({ replacement: Promise.reject(new Error('wrong password')) })
  const { replacement } = sessionStore.getSnapshot().context
  assert.notEqual(replacement, before)
  assert.equal(await replacement, undefined)
})

test('a rejected session opens the sign-in page once, with the way back', () => {
  sessionStore.trigger.rejected()
  sessionStore.trigger.rejected()
  assert.equal(sessionStore.getSnapshot().context.status, 'expired')
  assert.deepEqual(openedPages, ['/sign-in?redirect=%2Fruns%3Fstatus%3DFAILED'])
})

test('a rejection while the user signs out opens no page', () => {
  sessionStore.trigger.signOutRequested()
  sessionStore.trigger.rejected()
  assert.equal(sessionStore.getSnapshot().context.status, 'signingOut')
  assert.deepEqual(openedPages, [])
})

test('the address is split into its path and its filters', () => {
  locationStore.trigger.navigated({ address: '/runs?status=FAILED&q=two+words' })
  assert.deepEqual(locationStore.getSnapshot().context, {
    address: '/runs?status=FAILED&q=two+words',
    path: '/runs',
    filters: { status: 'FAILED', q: 'two words' },
  })
})

test('each report of the Action Center is a change, also with the same counts', () => {
  const counts = { totalCount: 2, critical: 1, high: 0 }
  actionCenterStore.trigger.changed({ counts })
  actionCenterStore.trigger.changed({ counts })
  assert.deepEqual(actionCenterStore.getSnapshot().context, { counts, changeCount: 2 })
})

test('each report of the notifications is a change, also with the same count', () => {
  unreadNotificationsStore.trigger.changed({ unreadCount: 3 })
  unreadNotificationsStore.trigger.changed({ unreadCount: 3 })
  assert.deepEqual(unreadNotificationsStore.getSnapshot().context, { unreadCount: 3, changeCount: 2 })
})
