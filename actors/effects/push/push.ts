/**
 * Sends one notification to Apple. If the response is lost, it may be sent twice. The second has the same `apns-id`. It replaces the one
 * that the device already shows, because it has the same `apns-collapse-id`.
 */

import type { TypedRow, TypedRows } from '../../../machines/rows.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { uuidOf } from '../../../spec/core/ids.ts'
import { pushOrigins } from '../../../spec/devices/deviceTokens.ts'
import { newsLifetimeMs } from '../../../spec/devices/news.ts'
import type { Views } from '../../../storage/ports/views.ts'
import type { EffectHandler } from '../../outbox/dispatcher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Push, PushOutcome } from '../apns/apns.ts'
import { payloadOf } from './payload.ts'
import { findReachable } from './reachable.ts'

/** Decrypts a value that was encrypted for an owner and an origin. The gateway implements it. */
interface TokenOpener {
  open(
    sealed: string,
    binding: { readonly owner: string; readonly origin: string },
  ):
    | { readonly type: 'opened'; readonly secret: string }
    | { readonly type: 'unknownKey'; readonly keyId: string }
    | { readonly type: 'damaged' | 'boundElsewhere' }
}

export interface PushPorts {
  readonly views: Views<TypedRows>
  readonly clock: Clock
  /** Undefined if push is off. Effects that an earlier process left are then not sent. */
  readonly apns: { send(push: Push): Promise<PushOutcome> } | undefined
  /** Decrypts the tokens of devices. */
  readonly tokens: TokenOpener
  readonly acceptedKeyIds: readonly string[]
}

export function push({ views, clock, apns, tokens, acceptedKeyIds }: PushPorts): EffectHandler {
  return async ({ actor }) => {
    if (apns === undefined) return refused('PUSH_IS_OFF')
    const row = await views.get('notification', actor.id)
    if (row === undefined) return undefined
    const { deviceId, agent: agentName, ...notification } = row.init
    const device = await views.get('notificationDevice', deviceId)
    const { reachable } = await findReachable(device ? [device] : [], views, { acceptedKeyIds, now: clock.now() })
    const [reached] = reachable
    if (reached === undefined) return refused('DEVICE_NOT_REACHED')
    const { environment, topic } = reached.init
    const { token, revision, details } = reached.context
    const opened = tokens.open(token, { owner: reached.id, origin: pushOrigins[environment] })
    // The token was encrypted with a secret that is not configured any more. The app must register it again.
    if (opened.type !== 'opened') return refused('TOKEN_UNREADABLE', revision)
    const outcome = await apns.send({
      id: uuidOf(row.id),
      environment,
      token: opened.secret,
      topic,
      collapseId: notification.subject.id,
      expiresAt: notification.news.at + newsLifetimeMs,
      payload: payloadOf({ ...notification, agentName, notificationId: row.id }, details.locale),
    })
    return eventOf(outcome, reached)
  }
}

function eventOf(outcome: PushOutcome, device: TypedRow<'notificationDevice'>): ActorEvent {
  if (outcome.type === 'taken') return { type: 'sent' }
  const { reason } = outcome
  if (outcome.type === 'later') return { type: 'pushDeferred', reason, retryAfterMs: outcome.retryAfterMs }
  const { revision, registeredAt } = device.context
  // An app that registered after that time has a token that Apple accepts.
  const gone = outcome.gone !== undefined && (outcome.gone.since ?? Number.POSITIVE_INFINITY) > registeredAt
  return refused(reason, gone ? revision : null)
}

/** @param gone the revision of the registration whose token Apple or this server cannot use any more. Null if the token may be used again */
function refused(reason: string, gone: number | null = null): ActorEvent {
  return { type: 'pushRefused', reason, gone }
}
