/**
 * A notification that PostgreSQL sent and that never arrives. A commit of one process must still reach the other one soon: a
 * transition must reach its subscribers, and the end of an API key must reach its checks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../load/http.ts'
import { saveOnce } from '../load/mutations.ts'
import { names } from './instant.ts'
import type { FaultContext, Injected } from './kinds.ts'

/** How long to wait for the notification, and for its content to arrive in another way. */
const passingMs = 3_000
const knownMs = 8_000
/** The error for a key that is not accepted. A process that has refused many keys from one address returns the second code. */
const refused = /"(UNAUTHENTICATED|RATE_LIMITED)"/

export async function lostNotify(context: FaultContext): Promise<Injected> {
  return context.random.next() < 0.5 ? lostTransition(context) : lostKey(context)
}

async function lostTransition({ world, load, random }: FaultContext): Promise<Injected> {
  const from = random.whole(0, 1)
  const to = 1 - from
  const id = random.pick(load.quiet) ?? ''
  const follower = load.followers.find((one) => one.followed.id === id && one.instance === to)
  if (follower === undefined) throw new Error(`no subscriber follows ${id} at process ${to}`)
  const before = follower.last
  const lost = world.proxies[to]?.loseNotification(id, passingMs)
  const startedAt = performance.now()
  if (!(await saveOnce(load.context, from, id))) return injected('not acknowledged', to, startedAt, performance.now())
  requireLost(await lost, id)
  for (const until = startedAt + knownMs; follower.last === before && performance.now() < until; ) await sleep(20)
  if (follower.last === before) {
    load.unnoticed.push(
      `the subscriber of ${id} at process ${to} did not receive the transition within ${knownMs} ms after its notification was lost`,
    )
  }
  const noticedAt = follower.last === before ? Number.POSITIVE_INFINITY : performance.now()
  return { ...injected(`transition for ${names([to])}`, to, startedAt, performance.now()), noticedAt }
}

async function lostKey({ world, load, random }: FaultContext): Promise<Injected> {
  const from = random.whole(0, 1)
  const to = 1 - from
  const { context } = load
  const { id, key } = await context.account.newKey(context.url(from))
  const accepted = async (): Promise<boolean> => {
    const headers = { 'x-api-key': key }
    const answer = await send(`${context.url(to)}/api/graphql`, 'POST', headers, {
      query: '{ workflows(first: 1) { nodes { id } } }',
    })
    return !refused.test(answer.body)
  }
  if (!(await accepted())) throw new Error('the other process does not accept a new API key')
  const lost = world.proxies[to]?.loseNotification(id, passingMs)
  const startedAt = performance.now()
  await context.account.deleteKey(context.url(from), id)
  requireLost(await lost, id)
  let still = true
  for (const until = startedAt + knownMs; still && performance.now() < until; await sleep(50)) still = await accepted()
  if (still)
    load.unnoticed.push(
      `the deleted API key ${id} was accepted by process ${to} for ${knownMs} ms after its notification was lost`,
    )
  const noticedAt = still ? Number.POSITIVE_INFINITY : performance.now()
  return { ...injected(`deleted key for ${names([to])}`, to, startedAt, performance.now()), noticedAt }
}

function requireLost(lost: boolean | undefined, id: string): void {
  if (lost !== true)
    throw new Error(
      `no notification about ${id} passed the proxy within ${passingMs} ms: its sender sends none, or uses another name`,
    )
}

/** `endedAt` is the time at which the lost content arrived. There is nothing to recover from afterwards. */
function injected(detail: string, to: number, startedAt: number, now: number): Injected {
  return { detail, instances: [to], startedAt, endedAt: now, healedAt: startedAt, outage: false }
}
