/**
 * Publishes a piece of news, which all users see as a notification, and creates one push notification for each device that may receive it.
 * The unique key of the news is the effect, and the ID of a push notification is derived from the effect and the device. So if the effect is
 * executed twice, or by two processes at once, nothing is created a second time. After an interruption the next attempt creates the rest.
 */
import type { TypedRow, TypedRows } from '../../machines/rows.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { type News, newsLifetimeMs } from '../../spec/devices/news.ts'
import type { Views } from '../../storage/ports/views.ts'
import type { Envelope, Origin, System } from '../messages.ts'
import type { EffectHandler, EffectRequest } from '../outbox/dispatcher.ts'
import type { Clock } from '../ports/clock.ts'
import { derivedId } from './derivedId.ts'
import type { PushPorts } from './push/push.ts'
import { findReachable } from './push/reachable.ts'

export interface NotifyPorts {
  readonly views: Views<TypedRows>
  readonly clock: Clock
  readonly ask: System<ActorKind>['ask']
  /** IDs of the keys under which sessions are valid. */
  readonly acceptedKeyIds: readonly string[]
  /** Undefined if push is off. The news is then published, and no device receives it. */
  readonly apns: PushPorts['apns']
}

const pageSize = 1_000
/** The most messages in flight at once. */
const atOnce = 64

export function notify({ views, clock, ask, acceptedKeyIds, apns }: NotifyPorts): EffectHandler {
  return async (request) => {
    const news = request.params as unknown as News
    const agent = news.agentId === undefined ? undefined : await views.get('agent', news.agentId)
    const agentName = agent?.init.name ?? null
    const send = (envelope: Envelope<ActorKind>) => once(ask(envelope, originOf(request, clock.now())))
    const content = { subject: { ...request.actor }, news, agent: agentName }
    // The time in the ID is that of the publication: news that is late comes after what users may have marked as read by then.
    const newsId = derivedId('news', clock.now(), [request.id])
    const publish = { ...content, cause: request.id, createdAt: clock.now() }
    await send({ to: { kind: 'news', id: newsId }, event: { type: 'create' }, create: publish })
    if (apns === undefined || clock.now() - news.at > newsLifetimeMs) return undefined
    const published = await views.findByKey('news', request.id)
    for await (const page of devicesOf(views)) {
      const { reachable, ended } = await findReachable(page, views, { acceptedKeyIds, now: clock.now() })
      await each(ended, async (device) => await send(sessionOver(device)))
      await each(reachable, async ({ id: deviceId }) => {
        const create = { ...content, deviceId, newsId: published?.id ?? newsId, createdAt: clock.now() }
        const id = derivedId('notification', news.at, [request.id, deviceId])
        await send({ to: { kind: 'notification', id }, event: { type: 'create' }, create })
      })
    }
    return undefined
  }
}

async function* devicesOf(views: Views<TypedRows>): AsyncGenerator<readonly TypedRow<'notificationDevice'>[]> {
  for (let after: { readonly id: string } | undefined; ; ) {
    const page = await views.list({
      kind: 'notificationDevice',
      terminal: false,
      limit: pageSize,
      ...(after && { after }),
    })
    yield page
    after = page.at(-1)
    if (page.length < pageSize || after === undefined) return
  }
}

function sessionOver({ id, context }: TypedRow<'notificationDevice'>): Envelope<ActorKind> {
  return { to: { kind: 'notificationDevice', id }, event: { type: 'sessionOver', sessionId: context.sessionId } }
}

function originOf({ id, actor }: EffectRequest, now: number): Origin {
  return { cause: 'effect', causeId: id, principal: actor.id, requestId: `effect:${id}`, receivedAt: now }
}

/** The notification exists already, or the device has ended in the meantime. A refusal is an answer. */
async function once(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.retryable || error.code === 'INTERNAL') throw error
  })
}

async function each<R>(rows: readonly R[], task: (row: R) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += atOnce) await Promise.all(rows.slice(at, at + atOnce).map(task))
}
