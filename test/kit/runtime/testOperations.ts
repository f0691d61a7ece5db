/** A small set of operations with every feature that the gateway serves: lists, connections, relations, interfaces, subscriptions. */

import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { pageOfRows } from '../../../gateway/operations/core/connections.ts'
import type { Operation } from '../../../gateway/operations/handler.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import type { AnyObjectType } from '../../../gateway/operations/objectType.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { connectionOf } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { cursorOf, positionOf } from '../../../spec/core/historyPosition.ts'
import { mutation, query, subscription } from '../../../spec/core/operation.ts'
import { dateTime, id, idOf, int, json, named, text, toDateTime } from '../../../spec/core/types.ts'

/** How often payloads of `logAdded` were made. */
export const made = { payloads: 0 }

const colour = named('Colour', 'The color of a Thing.', v.picklist(['RED', 'GREEN']))

const thing = named(
  'Thing',
  'An object of the tests.',
  v.object({
    id,
    title: v.pipe(v.string(), v.description('The name that users see.')),
    status: v.string(),
    sequence: int,
    colour: v.nullable(colour),
    parentId: v.nullable(id),
    createdAt: dateTime,
    extra: v.nullable(json),
  }),
)

function thingOf(row: ActorRow): v.InferInput<typeof thing> {
  return {
    id: row.id,
    title: String(row.context.title),
    status: row.columns.status,
    sequence: row.seq,
    colour: 'RED',
    parentId: row.columns.scopeId ?? null,
    createdAt: toDateTime(row.createdAt),
    extra: { nested: [1, 'two'] },
  }
}

export const objectTypes: readonly AnyObjectType[] = [
  {
    name: 'Thing',
    kind: 'plan',
    schema: thing,
    relations: {
      parent: {
        type: 'one',
        target: 'Thing',
        by: 'parentId',
        description: 'The Thing that it belongs to.',
        nullable: true,
      },
      children: {
        type: 'connection',
        target: 'Thing',
        kind: 'plan',
        by: 'scopeId',
        description: 'The Things that belong to it.',
        nullable: false,
      },
      letters: {
        type: 'derived',
        output: int,
        load: async (parents) => parents.map((own) => String(own.title).length),
        description: 'The length of its title.',
        nullable: false,
      },
    },
    fromRow: thingOf,
  },
]

const thingConnection = connectionOf('Thing', thing)

const idempotencyKey = v.optional(text({ min: 1, max: 128 }))
const thingId = idOf('plan')

export const operations: readonly Operation[] = [
  handle(
    query({
      name: 'health',
      description: 'ok.',
      access: 'people',
      input: undefined,
      output: v.string(),
    }),
    [],
    {
      read: () => 'ok',
    },
  ),
  handle(
    query({
      name: 'whoAmI',
      description: 'The principal of the request.',
      access: 'graphql',
      input: undefined,
      output: json,
    }),
    [],
    {
      read: (_input, { principal }) => principal,
    },
  ),
  handle(
    query({
      name: 'things',
      description: 'All Things.',
      access: 'people',
      input: undefined,
      output: v.array(thing),
    }),
    ['views'],
    {
      read: async (_input, { views }) => (await views.list({ kind: 'plan', limit: 1000 })).map(thingOf),
    },
  ),
  handle(
    query({
      name: 'thingConnection',
      description: 'Things in pages.',
      access: 'people',
      input: v.object({
        first: v.optional(v.pipe(int, v.minValue(1), v.maxValue(100)), 20),
        after: v.optional(text({ max: 200 })),
      }),
      output: thingConnection,
    }),
    ['views'],
    {
      read: async ({ first }, { views }) => await pageOfRows(views, { kind: 'plan' }, { first }, thingOf),
    },
  ),
  handle(
    query({
      name: 'breaks',
      description: 'Throws an error that no caller may see.',
      access: 'people',
      input: undefined,
      output: v.nullable(v.string()),
    }),
    [],
    {
      read: () => {
        throw new Error('the inside: postgres://secret')
      },
    },
  ),
  handle(
    query({
      name: 'waits',
      description: 'Answers after a while.',
      access: 'people',
      input: v.object({ ms: int }),
      output: v.string(),
    }),
    [],
    {
      read: async ({ ms }) => {
        await sleep(ms)
        return 'waited'
      },
    },
  ),
  handle(
    mutation({
      name: 'createThing',
      description: 'Creates a Thing.',
      access: 'people',
      input: v.object({
        title: text({ min: 1, max: 100 }),
        parentId: v.optional(thingId),
        colour: v.optional(colour),
        idempotencyKey,
      }),
      output: v.object({ thing, repeated: v.boolean() }),
    }),
    ['ids'],
    {
      translate: ({ title, parentId }, context) => ({
        messages: [
          {
            to: { kind: 'plan', id: context.ids.newId('plan') },
            event: { type: 'create' },
            create: { title, parentId: parentId ?? null },
          },
        ],
        answer: ([reply]) => {
          if (!reply) throw new Error('no reply')
          return { thing: thingOf(reply.row), repeated: reply.repeated }
        },
      }),
    },
  ),
  handle(
    mutation({
      name: 'renameThing',
      description: 'Renames a Thing.',
      access: 'people',
      input: v.object({ thingId, title: text({ min: 1, max: 100 }) }),
      output: v.object({ thing }),
    }),
    [],
    {
      translate: ({ thingId: thing, title }) => ({
        messages: [{ to: { kind: 'plan', id: thing }, event: { type: 'rename', title } }],
        answer: ([reply]) => {
          if (!reply) throw new Error('no reply')
          return { thing: thingOf(reply.row) }
        },
      }),
    },
  ),
  handle(
    mutation({
      name: 'finishThing',
      description: 'Takes its ID as an argument of its own.',
      access: 'people',
      flatArguments: true,
      deprecated: 'Nothing needs to be finished.',
      input: v.object({ thingId }),
      output: thing,
    }),
    [],
    {
      translate: ({ thingId: thing }) => ({
        messages: [{ to: { kind: 'plan', id: thing }, event: { type: 'finish' } }],
        answer: ([reply]) => {
          if (!reply) throw new Error('no reply')
          return thingOf(reply.row)
        },
      }),
    },
  ),
  handle(
    mutation({
      name: 'agentHello',
      description: 'Returns the ID of the agent. When its socket closes, the Thing is renamed.',
      access: 'agents',
      exemptFromCost: true,
      input: v.object({ thingId }),
      output: v.object({ agent: v.string() }),
    }),
    [],
    {
      translate: ({ thingId: thing }, { principal, onDisconnect }) => {
        onDisconnect?.({ to: { kind: 'plan', id: thing }, event: { type: 'rename', title: 'left behind' } })
        return { messages: [], answer: () => ({ agent: principal.kind === 'agent' ? principal.agentId : '' }) }
      },
    },
  ),
  handle(
    mutation({
      name: 'enrollAgent',
      description: 'Claims an enrollment.',
      access: 'enrolling',
      input: v.object({ token: text({ max: 200 }), hostname: text({ max: 200 }) }),
      output: v.object({ enrollmentId: id }),
    }),
    [],
    {
      translate: (_input, { principal }) => {
        if (principal.kind !== 'enrollment') throw new Failure('FORBIDDEN', 'no enrollment')
        const { enrollmentId } = principal
        return {
          messages: [{ to: { kind: 'enrollment', id: enrollmentId }, event: { type: 'claim', keyHash: null } }],
          answer: () => ({ enrollmentId }),
        }
      },
    },
  ),
  handle(
    subscription({
      name: 'logAdded',
      description: 'Entries of a log.',
      access: 'graphql',
      input: v.object({ name: text({ max: 100 }), afterSequence: v.optional(int) }),
      output: named('LogEntry', 'One entry.', v.object({ sequence: int, dataBase64: v.string() })),
    }),
    [],
    {
      follow: ({ name, afterSequence }) => ({ type: 'stream', name, after: afterSequence ?? -1 }),
      payload: (item) => {
        made.payloads++
        return item.type === 'entry'
          ? { sequence: item.entry.sequence, dataBase64: Buffer.from(item.entry.data).toString('base64') }
          : undefined
      },
    },
  ),
  handle(
    subscription({
      name: 'thingTransitioned',
      description: 'The transitions of one Thing.',
      access: 'people',
      input: v.object({ thingId, afterSequence: v.optional(int) }),
      output: named('Step', 'One transition.', v.object({ sequence: int, event: v.string() })),
    }),
    [],
    {
      follow: ({ thingId: thing, afterSequence }) => ({ type: 'transitions', id: thing, after: afterSequence }),
      payload: (item) =>
        item.type === 'transition' ? { sequence: item.transition.seq, event: item.transition.event } : undefined,
    },
  ),
  handle(
    subscription({
      name: 'anyThingTransitioned',
      description: 'The transitions of all Things.',
      access: 'people',
      input: v.object({ after: v.optional(text({ max: 200 })) }),
      output: named('AnyStep', 'One transition.', v.object({ thingId: v.string(), payload: json, cursor: v.string() })),
    }),
    [],
    {
      follow: ({ after }) => ({ type: 'kind', kind: 'plan', ...(after ? { after: positionOf(after, 'after') } : {}) }),
      payload: (item) =>
        item.type === 'transition' && item.position
          ? { thingId: item.transition.id, payload: item.transition.payload, cursor: cursorOf(item.position) }
          : undefined,
    },
  ),
  handle(
    subscription({
      name: 'thingChanged',
      description: 'The existing Things, and then each Thing that changes.',
      access: 'people',
      input: v.object({ thingId: v.optional(thingId) }),
      output: thing,
    }),
    [],
    {
      follow: ({ thingId: thing }) => ({
        type: 'rows',
        kind: 'plan',
        where: thing === undefined ? {} : { id: thing },
        initial: 'all',
      }),
      payload: (item) => (item.type === 'row' ? thingOf(item.row) : undefined),
    },
  ),
]
