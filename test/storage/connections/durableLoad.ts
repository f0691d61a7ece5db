/**
 * Load of everything that must be durable before it is answered. Each piece has a token of its own, so that what was acknowledged can
 * be compared with what is stored.
 */
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setup } from 'xstate'
import type { Origin } from '../../../actors/messages.ts'
import { ActorSystem } from '../../../actors/system.ts'
import { define, type MachineContext, typesOf } from '../../../machines/framework/define.ts'
import { Members } from '../../../machines/framework/members.ts'
import type { ActorEvent, ActorRef } from '../../../spec/core/actor.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import type { Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { storedLamp, storedWall } from '../../kit/runtime/lampAndWall.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { newId } from '../../kit/runtime/writes.ts'

const tokenKinds = ['notes', 'tells', 'timers', 'telemetry', 'toolCalls', 'loads'] as const
type TokenKind = (typeof tokenKinds)[number]

export type LoadKind = TokenKind | 'streams'
export const loadKinds: readonly LoadKind[] = [...tokenKinds, 'streams']

const eggMachine = setup({ types: typesOf<MachineContext, { type: 'none'; at: number }>() }).createMachine({
  id: 'egg',
  context: ({ input }) => ({ init: input.init, members: Members.empty }),
  initial: 'boiling',
  states: {
    boiling: { meta: { label: 'Boiling' }, after: { 300: 'boiled' } },
    boiled: { tags: ['terminal'], meta: { label: 'Boiled' } },
  },
})

/** Its only transition is that of a timer. */
const egg = define({ kind: 'workflow', version: 1, machine: eggMachine, effects: [], operable: false })

/** Pieces of one worker that are not answered yet. */
const openLimit = 50

export interface DurableLoad {
  /** How many pieces were acknowledged. */
  readonly count: number
  /** Waits until so many more pieces are acknowledged, or the time is over. */
  grow(pieces: number, withinMs: number): Promise<void>
  /** Waits until every part of the load has gone on, ends the load, waits until effects and timers are carried out, and returns what contradicts the acknowledgements. */
  finish(direct: Sql): Promise<readonly string[]>
}

/** The load ends with the test at the latest. */
export async function startDurableLoad(
  t: TestContext,
  storage: Storage,
  owner: string,
  kinds: readonly LoadKind[] = loadKinds,
): Promise<DurableLoad> {
  const system = new ActorSystem({
    ...storage,
    definitions: [storedLamp, storedWall, egg],
    kindOfId,
    clock: systemClock,
    owner,
    shared: true,
    handlers: new Map([['ring', async () => undefined]]),
    problem: () => {},
  })
  const acknowledged = new Map<TokenKind, string[]>()
  const violations: string[] = []
  const streams: string[] = []
  /** Parts of the load, by kind or stream, that were acknowledged something since this was cleared. */
  const goneOn = new Set<string>()
  let count = 0
  let ended = false

  t.after(async () => {
    ended = true
    await system.stop()
  })
  const acknowledge = (what: TokenKind, token: string): void => {
    count++
    const tokens = acknowledged.get(what)
    goneOn.add(what)
    if (tokens === undefined) acknowledged.set(what, [token])
    else tokens.push(token)
  }
  const ask = (to: ActorRef, event: ActorEvent, create?: { readonly name?: string }) => {
    const origin: Origin = { cause: 'request', principal: 'usr_test', requestId: 'r', receivedAt: Date.now() }
    return system.ask({ to, event, ...(create && { create }) }, origin)
  }
  /**
   * Does one piece of work after another, each with a new token. It does not wait for the answers: what is asked in the moment of a
   * reset is what a driver loses.
   */
  const repeat = async (what: TokenKind, worker: number, work: (token: string) => Promise<unknown>): Promise<void> => {
    const open = new Set<Promise<void>>()
    for (let n = 0; kinds.includes(what) && !ended; n++) {
      const token = `${what}-${worker}-${n}.`
      const one = work(token).then(
        () => acknowledge(what, token),
        () => {},
      )
      open.add(one)
      void one.finally(() => open.delete(one))
      await sleep(Math.random() * 10)
      await new Promise(setImmediate)
      if (open.size >= openLimit) await Promise.race(open)
    }
    await Promise.all(open)
  }
  const appendInOrder = async (stream: string): Promise<void> => {
    for (let sequence = 0; !ended; sequence++) {
      const append = { stream, sequence, entries: [{ kind: 'OUT', data: Buffer.from(`${sequence}`) }], at: Date.now() }
      while (!ended) {
        const next = await storage.streams.append(append).catch(() => undefined)
        if (next !== undefined) {
          count++
          goneOn.add(stream)
          break
        }
        await sleep(2)
      }
    }
  }

  system.start()
  const lamps = Array.from({ length: 240 }, (): ActorRef => ({ kind: 'plan', id: newId('plan') }))
  const walls = Array.from({ length: 4 }, (): ActorRef => ({ kind: 'session', id: newId('session') }))
  for (const ref of [...lamps, ...walls]) await ask(ref, { type: 'created' }, {})
  const pick = (refs: readonly ActorRef[], n: number): ActorRef => refs[n % refs.length] as ActorRef
  const work: Promise<void>[] = []
  for (let worker = 0; worker < 8; worker++) {
    const at = pick(lamps, worker)
    let n = worker * 30
    work.push(
      repeat('notes', worker, (key) => ask(pick(lamps, n++), { type: 'note', key, value: 'x'.repeat(worker * 20) })),
    )
    work.push(repeat('telemetry', worker, (body) => storage.telemetry.append([telemetryRecord(body)])))
    work.push(repeat('toolCalls', worker, (requestId) => storage.toolCalls.append(toolCall(requestId))))
    work.push(
      repeat('loads', worker, async (token) => {
        const found = await storage.journal.load([at])
        if (!found.has(at.id)) violations.push(`${token} an existing actor was reported as absent`)
      }),
    )
    if (kinds.includes('streams')) {
      const stream = `stream-${owner}-${worker}`
      streams.push(stream)
      work.push(appendInOrder(stream))
    }
  }
  for (let worker = 0; worker < 4; worker++) {
    const from = pick(lamps, worker + 8)
    const to = pick(walls, worker).id
    work.push(repeat('tells', worker, (word) => ask(from, { type: 'tell', to, word })))
    work.push(
      repeat('timers', worker, (name) =>
        ask({ kind: 'workflow', id: newId('workflow') }, { type: 'created' }, { name }),
      ),
    )
  }

  const untilQuiet = async (direct: Sql): Promise<void> => {
    const end = performance.now() + 20_000
    while (performance.now() < end) {
      const [open] = await direct<{ outbox: number; due: number }[]>`
        select (select count(*) from outbox) as outbox,
          (select count(*) from actor where next_due is not null) as due`
      if (open?.outbox === 0 && open.due === 0) return
      await sleep(200)
    }
    violations.push('effects or timers are not carried out 20 s after the last reset')
  }

  return {
    get count() {
      return count
    },
    async grow(pieces, withinMs) {
      const goal = count + pieces
      const end = performance.now() + withinMs
      while (count < goal && performance.now() < end) await sleep(10)
    },
    async finish(direct) {
      goneOn.clear()
      const parts = [...kinds.filter((kind) => kind !== 'streams'), ...streams]
      const end = performance.now() + 15_000
      while (parts.some((part) => !goneOn.has(part)) && performance.now() < end) await sleep(20)
      for (const part of parts) if (!goneOn.has(part)) violations.push(`${part} did not continue`)
      ended = true
      const finished = await Promise.race([Promise.all(work).then(() => true), sleep(15_000, false)])
      if (!finished) violations.push('a request was not answered 15 s after the last reset')
      await untilQuiet(direct)
      await system.stop()
      violations.push(...(await contradictions(direct, acknowledged, streams)))
      return violations
    },
  }
}

async function contradictions(
  direct: Sql,
  acknowledged: ReadonlyMap<TokenKind, readonly string[]>,
  streams: readonly string[],
): Promise<readonly string[]> {
  const texts = async (sql: string): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for (const { text } of await direct.unsafe<{ text: string }[]>(sql)) {
      for (const token of text.match(/\b[a-zA-Z]+-\d+-\d+\./g) ?? []) counts.set(token, (counts.get(token) ?? 0) + 1)
    }
    return counts
  }
  const payloads = (event: string) =>
    texts(`select (detail::json ->> 'payload') as text from journal where event = '${event}'`)
  const found: Record<TokenKind, Map<string, number>> = {
    notes: await payloads('note'),
    tells: await payloads('say'),
    timers: await texts(`
      select a.init as text from journal j join actor a on a.id = j.actor where j.kind = 'workflow' and j.status = 'BOILED'`),
    telemetry: await texts('select body as text from telemetry_record'),
    toolCalls: await texts('select request_id as text from tool_call'),
    loads: new Map(),
  }
  const violations: string[] = []
  for (const [what, counts] of Object.entries(found)) {
    if (what === 'loads') continue
    for (const token of acknowledged.get(what as TokenKind) ?? []) {
      if (!counts.has(token)) violations.push(`${token} was acknowledged and is not stored`)
    }
    // Telemetry and audit records without an ID of their own may be sent once and be written once.
    for (const [token, times] of counts) if (times > 1) violations.push(`${token} is stored ${times} times`)
  }
  for (const stream of streams) {
    const rows = await direct<{ sequence: number; text: string }[]>`
      select sequence, convert_from(data, 'UTF8') as text from stream_entry where stream = ${stream} order by sequence`
    const wrong = rows.findIndex(({ sequence, text }, index) => sequence !== index || text !== `${index}`)
    if (wrong !== -1) violations.push(`${stream} is wrong at ${wrong}`)
  }
  return violations
}

function telemetryRecord(body: string) {
  return {
    kind: 'CONSOLE_LOG' as const,
    recordId: null,
    timestamp: Date.now(),
    observedTimestamp: Date.now(),
    severityText: null,
    severityNumber: null,
    eventName: null,
    body,
    attributes: { padding: 'x'.repeat(1_500) },
    resource: {},
    traceId: null,
    spanId: null,
    sessionId: null,
  }
}

function toolCall(requestId: string) {
  return {
    at: Date.now(),
    durationMs: 1,
    caller: 'usr_test',
    source: 'MCP' as const,
    scopeId: null,
    tool: 'get_apps',
    serverId: null,
    rawName: null,
    argumentsSha256: 'a'.repeat(64),
    requestId,
    outcome: 'SUCCESS' as const,
    code: null,
  }
}
