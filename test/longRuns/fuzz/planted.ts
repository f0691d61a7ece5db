/**
 * A program with planted faults, one of each kind that the fuzzer must find. `prove.long.test.ts` starts it in a process of its own.
 * It is the real gateway with the whole catalog, over storage in memory.
 */

import pino from 'pino'
import * as v from 'valibot'
import { json } from '../../../gateway/http/answer.ts'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import type { Operation } from '../../../gateway/operations/handler.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { serve } from '../../../gateway/operations/restHandler.ts'
import { RouteRates } from '../../../gateway/rest/routeRate.ts'
import { routeOf } from '../../../gateway/rest/served.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { mutation, query } from '../../../spec/core/operation.ts'
import { int, named, text } from '../../../spec/core/types.ts'
import { type RestRoute, restRoute } from '../../../spec/rest/restRoute.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { beMeasured } from '../../kit/program/measuring/measuring.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'
import { raisedLimits } from './raised.ts'
import type { Catalog } from './subject.ts'

const common = { tag: 'Server', summary: 'Planted', refusals: [], answers: { 200: { description: 'x' } } } as const
const answer = (body: v.ObjectEntries) => ({ 200: { description: 'x', body: v.object(body) } })
const get = (name: string, more: Partial<RestRoute>): RestRoute =>
  restRoute({ ...common, name, method: 'GET', path: `/api/planted/${name}`, access: 'sessions', ...more })

const log = pino({ level: 'debug', base: null })

/** The declarations in the catalog. The handlers violate them. */
const plantedRoutes = {
  tellsItsKey: get('tellsItsKey', { answers: answer({ key: v.string() }) }),
  saysTooMuch: get('saysTooMuch', { answers: answer({ a: v.string() }) }),
  saysOtherwise: get('saysOtherwise', { answers: answer({ a: v.number() }) }),
  refusesOtherwise: get('refusesOtherwise', {}),
  isOpen: get('isOpen', { answers: answer({}) }),
  logsCredentials: get('logsCredentials', { answers: answer({}) }),
  refusesWhatIsRight: get('refusesWhatIsRight', {
    method: 'POST',
    body: { limit: 'authBodyBytes', schema: v.object({ a: text({ min: 1, max: 10 }) }) },
    answers: answer({}),
  }),
}

const handlers = [
  serve(plantedRoutes.tellsItsKey, ({ request }) =>
    json(200, { key: request.headers.get('authorization') ?? request.headers.get('cookie') }),
  ),
  serve(plantedRoutes.saysTooMuch, () => json(200, { a: 'x', b: 'undeclared' })),
  serve(plantedRoutes.saysOtherwise, () => json(200, { a: 'no number' })),
  serve(plantedRoutes.refusesOtherwise, () => {
    throw new Failure('CONFLICT', 'an undocumented refusal')
  }),
  serve({ ...plantedRoutes.isOpen, access: 'graphql' }, () => json(200, {})),
  serve(plantedRoutes.logsCredentials, ({ request }) => {
    log.info(`asked by ${request.headers.get('authorization') ?? request.headers.get('cookie')}`)
    return json(200, {})
  }),
  serve(
    { ...plantedRoutes.refusesWhatIsRight, body: { limit: 'authBodyBytes', schema: v.object({ a: v.literal('x') }) } },
    () => json(200, {}),
  ),
]

const payload = named('PlantedPayload', 'Planted.', v.object({ a: v.nullable(int) }))

const plantedOperations = [
  handle(
    query({
      name: 'breaksOnZero',
      description: 'Throws if its number is 0.',
      access: 'people',
      input: v.object({ a: v.pipe(int, v.minValue(0), v.maxValue(3)) }),
      output: int,
    }),
    [],
    {
      read: ({ a }) => {
        if (a === 0) throw new TypeError('planted')
        return a
      },
    },
  ),
  handle(
    query({
      name: 'forbidsWhoMayAsk',
      description: 'Refuses callers that have access.',
      access: 'people',
      input: undefined,
      output: int,
    }),
    [],
    {
      read: () => {
        throw new Failure('FORBIDDEN', 'planted')
      },
    },
  ),
] as readonly unknown[] as readonly Operation[]

/** Ends the program, so it has a run of its own. */
const deadly = handle(
  mutation({
    name: 'rejectsUnheard',
    description: 'Leaves a promise rejection unhandled.',
    access: 'people',
    input: v.object({ a: int }),
    output: payload,
  }),
  [],
  {
    translate: () => {
      void Promise.reject(new Error('planted: unhandled rejection'))
      return { messages: [], answer: () => ({ a: 1 }) }
    },
  },
)

export type Planted = 'deadly' | 'all others'

function plantedIn(kind: Planted): Pick<Catalog, 'operations' | 'routes'> {
  if (kind === 'deadly') return { operations: [deadly] as readonly unknown[] as readonly Operation[], routes: [] }
  return { operations: plantedOperations, routes: Object.values(plantedRoutes) }
}

export function plantedNames(kind: Planted): ReadonlySet<string> {
  const planted = plantedIn(kind)
  return new Set([...planted.operations, ...planted.routes].map(({ name }) => name))
}

export function plantedCatalog(kind: Planted): Catalog {
  const planted = plantedIn(kind)
  return {
    operations: [...operations, ...planted.operations],
    objectTypes,
    routes: [...restRoutes, ...planted.routes],
  }
}

async function start(kind: Planted): Promise<void> {
  const { operations: all } = plantedCatalog(kind)
  const limits = Object.fromEntries(raisedLimits.map((name) => [name, 1e9]))
  const rates = new RouteRates(defaultLimits, systemClock)
  const routes = kind === 'deadly' ? [] : handlers.map((one) => routeOf(one, { limits: defaultLimits, rates, log }))
  const world = await startTestGateway({ settings: { limits }, options: { operations: all, objectTypes, routes, log } })
  beMeasured({ url: world.url, agentPort: world.gateway.agentPort, stop: () => world.stop() })
}

if (process.argv[1] === import.meta.filename) await start(process.env.PLANTED === 'deadly' ? 'deadly' : 'all others')
