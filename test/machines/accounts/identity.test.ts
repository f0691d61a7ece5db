/** Accounts, sessions and enrollments: the rules that must hold at once for everybody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKey } from '../../../machines/accounts/apiKey.ts'
import { authSession } from '../../../machines/accounts/authSession.ts'
import { registration } from '../../../machines/accounts/registration.ts'
import { user as users } from '../../../machines/accounts/user.ts'
import { enrollment } from '../../../machines/agents/enrollment.ts'
import type { Definition } from '../../../machines/framework/define.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'
import { applyEvent, begin, delaysOf, type Result, type Snapshot, stateOf } from '../../kit/runtime/applyEvent.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'

class One {
  readonly #definition: Definition
  snapshot: Snapshot
  delays: readonly number[]

  constructor(definition: Definition, init: Readonly<Record<string, Json>>) {
    this.#definition = definition
    const first = begin(definition, { id: 'x_1', init, at })
    this.snapshot = first.snapshot
    this.delays = delaysOf(first.actions).map(({ ms }) => ms)
  }

  send(event: ActorEvent): Result {
    const result = applyEvent(this.#definition, this.snapshot, { at, ...event })
    if (result.type === 'accepted') {
      this.snapshot = result.snapshot
      this.delays = delaysOf(result.actions).map(({ ms }) => ms)
    }
    return result
  }
}

const person = (n: number, bySignedInUser: boolean) => ({
  type: 'register',
  userId: `usr_${n}`,
  email: `p${n}@example.org`,
  name: 'P',
  passwordHash: 'h',
  bySignedInUser,
})

const codeOf = (result: Result): string => (result.type === 'refused' ? result.code : result.type)

test('the first account closes registration, and a second one at the same time is refused', () => {
  const one = new One(registration, {})
  assert.equal(codeOf(one.send(person(1, false))), 'accepted')
  assert.equal(stateOf(one.snapshot), 'CLOSED')
  assert.equal(codeOf(one.send(person(2, false))), 'REGISTRATION_CLOSED')
  assert.equal(codeOf(one.send(person(2, true))), 'accepted')
})

test('registration that was opened again stays open', () => {
  const one = new One(registration, {})
  one.send(person(1, false))
  one.send({ type: 'open' })
  one.send(person(2, false))
  assert.equal(stateOf(one.snapshot), 'OPEN')
})

test('an email belongs to one account, in upper or lower case, until that account is removed', () => {
  const one = new One(registration, {})
  one.send(person(1, false))
  one.send(person(2, true))
  const again = { ...person(3, true), email: 'P1@EXAMPLE.org' }
  assert.equal(codeOf(one.send(again)), 'CONFLICT')
  one.send({ type: 'userMade', userId: 'usr_2' })
  one.send({ type: 'removeUser', userId: 'usr_1' })
  assert.equal(codeOf(one.send(again)), 'accepted')
})

test('the last enabled account can be neither disabled nor removed', () => {
  const one = new One(registration, {})
  one.send(person(1, false))
  one.send(person(2, true))
  for (const userId of ['usr_1', 'usr_2']) one.send({ type: 'userMade', userId })
  assert.equal(codeOf(one.send({ type: 'disableUser', userId: 'usr_1' })), 'accepted')
  assert.equal(codeOf(one.send({ type: 'disableUser', userId: 'usr_1' })), 'repeated')
  assert.equal(codeOf(one.send({ type: 'disableUser', userId: 'usr_2' })), 'FAILED_PRECONDITION')
  assert.equal(codeOf(one.send({ type: 'removeUser', userId: 'usr_2' })), 'FAILED_PRECONDITION')
  assert.equal(codeOf(one.send({ type: 'removeUser', userId: 'usr_1' })), 'accepted')
})

test('an identity is linked to one account, and an account to one identity of a provider', () => {
  const one = new One(registration, {})
  one.send(person(1, false))
  one.send(person(2, true))
  for (const userId of ['usr_1', 'usr_2']) one.send({ type: 'userMade', userId })
  const link = (userId: string, identity: string) => codeOf(one.send({ type: 'linkIdentity', userId, identity }))
  assert.equal(link('usr_1', 'corp|1'), 'accepted')
  assert.equal(link('usr_1', 'corp|1'), 'repeated')
  assert.equal(link('usr_2', 'corp|1'), 'CONFLICT', 'the identity belongs to the other account')
  assert.equal(link('usr_1', 'corp|2'), 'CONFLICT', 'the account has an identity of this provider')
  assert.equal(link('usr_3', 'corp|3'), 'NOT_FOUND')
  assert.equal(link('usr_1', 'next|1'), 'accepted', 'an identity of another provider replaces the former one')
  assert.equal(link('usr_2', 'corp|1'), 'accepted', 'the former identity is free again')
  one.send({ type: 'disableUser', userId: 'usr_2' })
  assert.equal(link('usr_2', 'next|2'), 'FORBIDDEN')
  one.send({ type: 'removeUser', userId: 'usr_2' })
  assert.equal(link('usr_1', 'next|1'), 'repeated')
  // A sign-in with the identity finds the account and creates none.
  const register = { ...person(4, false), identity: 'next|1', passwordHash: null }
  assert.equal(codeOf(one.send(register)), 'repeated')
})

test('a user ignores an older link, and a link that the user refused can be requested again', () => {
  const user = new One(users, inits.user)
  const link = (n: number) => codeOf(user.send({ type: 'linkIdentity', identity: `corp|${n}`, link: n }))
  assert.deepEqual([link(2), link(1), link(2), link(3)], ['accepted', 'repeated', 'repeated', 'accepted'])
  const one = new One(registration, {})
  one.send(person(1, false))
  one.send({ type: 'userMade', userId: 'usr_1' })
  const ask = { type: 'linkIdentity', userId: 'usr_1', identity: 'corp|1' }
  one.send(ask)
  const refused = { effect: 'tell', by: { kind: 'user', id: 'usr_1' }, code: 'CONFLICT', message: 'taken' }
  one.send({ type: 'refused', sent: 'linkIdentity', echo: { userId: 'usr_1', identity: 'corp|1' }, ...refused })
  assert.equal(codeOf(one.send(ask)), 'accepted')
})

test('a session expires thirty days after its last use, and a use extends it at most once a day', () => {
  const day = 86_400_000
  const one = new One(authSession, inits.authSession)
  const touched = (ms: number) => codeOf(one.send({ type: 'touch', at: at + ms }))
  assert.deepEqual(one.delays, [30 * day])
  assert.equal(touched(day - 1), 'repeated')
  assert.equal(touched(day), 'accepted')
  assert.deepEqual(one.delays, [30 * day])
  assert.equal(touched(2 * day - 1), 'repeated')
  for (let n = 2; n < 100; n++) assert.equal(touched(n * day), 'accepted')
  assert.deepEqual(one.delays, [30 * day])
})

test('a claimed enrollment accepts a repeated claim only with the same key, and none if its claim had no key', () => {
  const one = new One(enrollment, inits.enrollment)
  one.send({ type: 'claim', keyHash: 'k' })
  assert.equal(codeOf(one.send({ type: 'claim', keyHash: 'k' })), 'accepted')
  assert.equal(codeOf(one.send({ type: 'claim', keyHash: 'other' })), 'FAILED_PRECONDITION')
  const without = new One(enrollment, inits.enrollment)
  without.send({ type: 'claim', keyHash: null })
  assert.equal(codeOf(without.send({ type: 'claim', keyHash: null })), 'FAILED_PRECONDITION')
})

test('a claim does not move the expiry of an enrollment token', () => {
  const one = new One(enrollment, inits.enrollment)
  one.send({ type: 'claim', keyHash: 'k', at: at + 3_000_000 })
  assert.deepEqual(one.delays, [600_000])
})

test('a second enable or disable of an API key is a repeat', () => {
  const one = new One(apiKey, inits.apiKey)
  assert.equal(codeOf(one.send({ type: 'enable' })), 'repeated')
  assert.equal(codeOf(one.send({ type: 'disable' })), 'accepted')
  assert.equal(codeOf(one.send({ type: 'disable' })), 'repeated')
  assert.equal(codeOf(one.send({ type: 'enable' })), 'accepted')
  assert.equal(codeOf(one.send({ type: 'enable' })), 'repeated')
})
