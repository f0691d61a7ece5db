/** Accounts and the users that are made for them, where one message overtakes another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registrationId } from '../../../spec/core/ids.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const registration = { kind: 'registration', id: registrationId } as const

const register = (world: UnorderedActors, n: number) =>
  world.send(registration, {
    type: 'register',
    userId: `usr_${n}`,
    email: `p${n}@x.org`,
    name: 'P',
    passwordHash: 'h',
    bySignedInUser: true,
  })
const decide = (world: UnorderedActors, type: string, n: number) =>
  world.send(registration, { type, userId: `usr_${n}` }).type
const enabled = (world: UnorderedActors) => world.context<{ enabled: number }>(registration.id).enabled

function deliverAll(world: UnorderedActors, lastFirst = false): void {
  while (world.mail.length > 0) world.deliver(lastFirst ? world.mail.length - 1 : 0)
}

/** One registered account. */
function newWorld(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(registration, {})
  register(world, 1)
  deliverAll(world)
  return world
}

for (const lastFirst of [false, true]) {
  const order = lastFirst ? 'the last message first' : 'in order'

  test(`an account that is disabled before its user is created stays disabled, ${order}`, () => {
    const world = newWorld()
    register(world, 2)
    assert.equal(decide(world, 'disableUser', 2), 'accepted')
    deliverAll(world, lastFirst)
    assert.equal(world.state('usr_2'), 'DISABLED')
    assert.equal(decide(world, 'enableUser', 2), 'accepted')
    deliverAll(world, lastFirst)
    assert.deepEqual([world.state('usr_2'), enabled(world)], ['ACTIVE', 2])
  })

  test(`an account that is disabled and enabled before its user is created is enabled, ${order}`, () => {
    const world = newWorld()
    register(world, 2)
    for (const type of ['disableUser', 'enableUser']) decide(world, type, 2)
    deliverAll(world, lastFirst)
    assert.deepEqual([world.state('usr_2'), enabled(world)], ['ACTIVE', 2])
  })

  test(`an account that is removed before its user is created leaves no user, ${order}`, () => {
    const world = newWorld()
    register(world, 2)
    assert.equal(decide(world, 'removeUser', 2), 'accepted')
    deliverAll(world, lastFirst)
    assert.deepEqual([world.state('usr_2'), enabled(world)], ['REMOVED', 1])
  })
}

test('an account whose user is not created yet does not count as enabled: the other account cannot be disabled', () => {
  const world = newWorld()
  register(world, 2)
  assert.equal(decide(world, 'disableUser', 1), 'refused')
  deliverAll(world)
  assert.equal(decide(world, 'disableUser', 1), 'accepted')
})

const taken = (n: number) => ({
  type: 'refused',
  effect: 'tell',
  sent: 'create',
  by: { kind: 'user', id: `usr_${n}` },
  code: 'CONFLICT',
  message: 'Another user has this name already.',
  echo: `usr_${n}`,
})

test('an account whose user cannot be created is removed: its email is free, and it does not count as enabled', () => {
  const world = newWorld()
  register(world, 2)
  world.mail.length = 0
  world.send(registration, taken(2))
  assert.equal(decide(world, 'disableUser', 1), 'refused')
  assert.equal(decide(world, 'enableUser', 2), 'refused')
  assert.equal(world.state(registration.id), 'CLOSED')
  assert.equal(register(world, 2).type, 'accepted')
})

test('if the first account cannot be created, registration is open again', () => {
  const world = new UnorderedActors()
  world.create(registration, {})
  register(world, 1)
  world.mail.length = 0
  world.send(registration, taken(1))
  assert.equal(world.state(registration.id), 'OPEN')
  register(world, 2)
  assert.equal(world.state(registration.id), 'CLOSED', 'the next one is the first')
})

test('an account that is removed before its user is created leaves no entry if the user then cannot be created', () => {
  const world = newWorld()
  register(world, 2)
  decide(world, 'removeUser', 2)
  world.send(registration, taken(2))
  assert.equal(enabled(world), 1)
  assert.equal(world.send(registration, { type: 'userMade', userId: 'usr_2' }).type, 'repeated')
})

const identity = (n: number, name = 'corp|1') => ({
  type: 'register',
  userId: `usr_${n}`,
  email: `i${n}@x.org`,
  name: 'I',
  passwordHash: null,
  identity: name,
  bySignedInUser: false,
})

test('two sign-ins of one new identity create one account, although the first one has closed registration', () => {
  const world = new UnorderedActors()
  world.create(registration, {})
  assert.equal(world.send(registration, identity(1)).type, 'accepted')
  assert.equal(world.state(registration.id), 'CLOSED')
  assert.equal(world.send(registration, identity(2)).type, 'repeated')
  assert.equal(world.send(registration, identity(3, 'corp|2')).type, 'refused')
})

test('an identity whose account was removed counts as new', () => {
  const world = newWorld()
  world.send(registration, { type: 'open' })
  world.send(registration, identity(2))
  deliverAll(world)
  world.send(registration, { type: 'removeUser', userId: 'usr_2' })
  deliverAll(world)
  assert.equal(world.send(registration, identity(3)).type, 'accepted')
})

test('an identity whose user cannot be created counts as new', () => {
  const world = newWorld()
  world.send(registration, { type: 'open' })
  world.send(registration, identity(2))
  world.mail.length = 0
  world.send(registration, taken(2))
  assert.equal(world.send(registration, identity(2)).type, 'accepted')
})
