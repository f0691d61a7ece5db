/** A request that is repeated under its key after the program died in the middle of it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import type { System } from '../../../gateway/messages.ts'
import { rowAt } from '../../../gateway/operations/core/replies.ts'
import { executeMutation } from '../../../gateway/operations/executeMutation.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import type { RequestContext } from '../../../gateway/operations/requestContext.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/kinds.ts'
import { mutation } from '../../../spec/core/operation.ts'
import { type LampKind, lampPrefixes } from '../../kit/runtime/lampAndWall.ts'
import { type LampSystem, openLamps } from '../../kit/runtime/lampSystem.ts'

/** The handlers of operations take only the product's kinds. */
const kinds = { lamp: 'lamp', wall: 'wall' } as unknown as Readonly<Record<LampKind, ActorKind>>

const productSystem = ({ system }: LampSystem): System => system as unknown as System

let ids = 0
const newId = (kind: string) => `${lampPrefixes[kind as LampKind]}_${String(++ids).padStart(26, '0')}`
const context = {
  principal: { kind: 'user', userId: 'usr_1' },
  requestId: 'r',
  now: 0,
  spentMs: () => 0,
  ids: { newId },
} as unknown as RequestContext

/** Creates a `wall`, and then a `lamp` with the ID of the wall. */
const makeBoth = handle(
  mutation({
    name: 'makeBoth',
    description: '',
    access: 'people',
    input: v.object({ idempotencyKey: v.string() }),
    output: v.object({ lamp: v.string(), wall: v.string() }),
  }),
  ['ids'],
  {
    translate: (_, { ids: { newId: id } }) => ({
      messages: [
        { to: { kind: kinds.wall, id: id(kinds.wall) }, event: { type: 'create' }, create: {} },
        (replies) => ({
          to: { kind: kinds.lamp, id: id(kinds.lamp) },
          event: { type: 'create' },
          create: { wall: rowAt(kinds.wall, replies).id },
        }),
      ],
      answer: (replies) => ({ lamp: rowAt(kinds.lamp, replies, 1).id, wall: String(replies[1]?.row.init.wall) }),
    }),
  },
)

/** The `wall` is asked first. If it refuses, the `lamp` is not created. */
const hang = (wall: string) =>
  handle(
    mutation({
      name: 'hang',
      description: '',
      access: 'people',
      input: v.object({ idempotencyKey: v.string() }),
      output: v.object({ lamp: v.string() }),
    }),
    ['ids'],
    {
      translate: (_, { ids: { newId: id } }) => {
        const to = { kind: kinds.lamp, id: id(kinds.lamp) } as const
        return {
          messages: [
            { to: { kind: kinds.wall, id: wall }, event: { type: 'say', word: 'yes' }, makes: to },
            ([said]) => ({ to: said?.made ?? to, event: { type: 'create' }, create: {} }),
          ],
          answer: (replies) => ({ lamp: rowAt(kinds.lamp, replies, 1).id }),
        }
      },
    },
  )

/** Dies before message `at` of the first request. */
function dyingBefore(at: number, world: LampSystem): System {
  const system = productSystem(world)
  let asked = 0
  return {
    peek: (ref) => system.peek(ref),
    repeated: (key) => system.repeated(key),
    readAcceptedActions: (ref) => system.readAcceptedActions(ref),
    previewMessage: (message, now) => system.previewMessage(message, now),
    ask: (...args) => (asked++ === at ? Promise.reject(new Error('killed')) : system.ask(...args)),
  }
}

const input = { idempotencyKey: 'k' }

test('a repeat continues with the actor that the first request created', async () => {
  const world = openLamps()
  const system = dyingBefore(1, world)
  await assert.rejects(executeMutation(makeBoth, input, context, system), /killed/)
  const both = (await executeMutation(makeBoth, input, context, system)) as { lamp: string; wall: string }
  assert.equal((await world.system.peek({ kind: 'wall', id: both.wall }))?.id, both.wall)
  assert.deepEqual(await executeMutation(makeBoth, input, context, system), both)
})

test('a repeat creates exactly the actor that another actor has permitted', async () => {
  const world = openLamps()
  const system = dyingBefore(1, world)
  const wall = await world.newWall()
  const operation = hang(wall.id)
  const given = ids + 1
  await assert.rejects(executeMutation(operation, input, context, system), /killed/)
  const made = (await executeMutation(operation, input, context, system)) as { lamp: string }
  assert.equal(made.lamp, `lmp_${String(given).padStart(26, '0')}`)
  assert.equal((await world.system.peek(wall))?.context.words, 1)
})

test('a repeat gets its reply without a new check; with another input it is refused with CONFLICT', async () => {
  const world = openLamps()
  let refuses = false
  const once = handle(
    mutation({
      name: 'once',
      description: '',
      access: 'people',
      input: v.object({ idempotencyKey: v.string(), colour: v.optional(v.string()) }),
      output: v.object({ lamp: v.string() }),
    }),
    ['ids'],
    {
      repeat: { message: 0, answer: ({ row }) => ({ lamp: row.id }) },
      translate: (_, { ids: { newId: id } }) => {
        if (refuses) throw new Failure('FAILED_PRECONDITION', 'One lamp is enough.')
        return {
          messages: [{ to: { kind: kinds.lamp, id: id(kinds.lamp) }, event: { type: 'create' }, create: {} }],
          answer: (replies) => ({ lamp: rowAt(kinds.lamp, replies).id }),
        }
      },
    },
  )
  const first = await executeMutation(once, input, context, productSystem(world))
  refuses = true
  assert.deepEqual(await executeMutation(once, input, context, productSystem(world)), first)
  await assert.rejects(executeMutation(once, { ...input, colour: 'red' }, context, productSystem(world)), {
    code: 'CONFLICT',
  })
  await assert.rejects(executeMutation(once, { idempotencyKey: 'other' }, context, productSystem(world)), {
    code: 'FAILED_PRECONDITION',
  })
})

test('of two concurrent requests, the one that finds the actor of the other one gets the same reply', async () => {
  const world = openLamps()
  const made = Promise.withResolvers<unknown>()
  let asked = 0
  const once = handle(
    mutation({
      name: 'once',
      description: '',
      access: 'people',
      input: v.object({ idempotencyKey: v.string() }),
      output: v.object({ lamp: v.string() }),
    }),
    ['ids'],
    {
      repeat: { message: 0, answer: ({ row }) => ({ lamp: row.id }) },
      translate: async (_, { ids: { newId: id } }) => {
        if (asked++ > 0) {
          await made.promise
          throw new Failure('CONFLICT', 'There is a lamp already.')
        }
        return {
          messages: [{ to: { kind: kinds.lamp, id: id(kinds.lamp) }, event: { type: 'create' }, create: {} }],
          answer: (replies) => ({ lamp: rowAt(kinds.lamp, replies).id }),
        }
      },
    },
  )
  const first = executeMutation(once, input, context, productSystem(world))
  const second = executeMutation(once, input, context, productSystem(world))
  made.resolve(await first)
  assert.deepEqual(await second, await first)
})

test('the time that a request spends before its messages are sent counts, and the time of its messages does not', async () => {
  const world = openLamps()
  const spent: unknown[] = []
  const system: System = {
    ...dyingBefore(-1, world),
    ask: (envelope, origin, options) => {
      spent.push(options?.spentMs)
      return productSystem(world).ask(envelope, origin, options)
    },
  }
  let now = 0
  await executeMutation(makeBoth, { idempotencyKey: 'slow' }, { ...context, spentMs: () => (now += 3_000) }, system)
  assert.deepEqual(spent, [3_000, 3_000])
})

test('a repeat gets a reply while another actor still has to create the requested actor', async () => {
  const world = openLamps()
  let refuses = false
  const wall = await world.newWall()
  const request = handle(
    mutation({
      name: 'request',
      description: '',
      access: 'people',
      input: v.object({ idempotencyKey: v.string(), color: v.string() }),
      output: v.object({ lamp: v.string(), is: v.string() }),
    }),
    ['ids'],
    {
      repeat: {
        message: 0,
        answer: ({ row }) => ({ lamp: row.id, is: 'created' }),
        pending: (lamp, { color }) => ({ lamp, is: `pending ${color}` }),
      },
      translate: (_, { ids: { newId: id } }) => {
        if (refuses) throw new Failure('FAILED_PRECONDITION', 'The wall is full.')
        const makes = { kind: kinds.lamp, id: id(kinds.lamp) } as const
        return {
          messages: [{ to: { kind: kinds.wall, id: wall.id }, event: { type: 'say', word: 'yes' }, makes }],
          answer: () => ({ lamp: makes.id, is: 'requested' }),
        }
      },
    },
  )
  const send = () => executeMutation(request, { idempotencyKey: 'k', color: 'red' }, context, productSystem(world))
  const first = (await send()) as { lamp: string }
  refuses = true
  assert.deepEqual(await send(), { lamp: first.lamp, is: 'pending red' })
  const origin = { cause: 'actor', principal: wall.id, requestId: 'r', receivedAt: 0 } as const
  const create = { to: { kind: kinds.lamp, id: first.lamp }, event: { type: 'create' }, create: {} }
  await productSystem(world).ask(create, origin)
  assert.deepEqual(await send(), { lamp: first.lamp, is: 'created' })
})
