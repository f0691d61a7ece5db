/**
 * The news that users receive on their devices. A machine sends news with the effect `notify` (`machines/devices/notify.ts`). The
 * machine does not decide who receives it, in which language, and how often delivery is tried.
 */
import type { ItemKind } from '../operators/actionCenter/items.ts'

export const newsReasons = Object.freeze([
  'WAITING_FOR_INPUT',
  'RUN_ENDED',
  'PLAN_ENDED',
  'BUILD_ENDED',
  'DEPLOYMENT_ENDED',
  'INCIDENT',
  'AGENT_LOST',
  'ACTION_NEEDED',
  'DEVICE_ENROLLED',
] as const)

export type NewsReason = (typeof newsReasons)[number]

/** The items of the Action Center that come without other news. */
export const newsItems = [
  'SIGNING_ASSET_EXPIRING',
  'SIGNING_ASSET_EXPIRED',
  'SCHEDULE_REFUSED',
  'PUSH_REFUSED',
] as const satisfies readonly ItemKind[]
export type NewsItem = (typeof newsItems)[number]

/** Plain JSON, since it is stored in the outbox and then in each notification. It contains no secret and no part of a log. */
export type News = NewsFacts & (OrdinaryNews | { readonly reason: 'ACTION_NEEDED'; readonly item: NewsItem })

export type OrdinaryNews = { readonly reason: Exclude<NewsReason, 'ACTION_NEEDED'> }

type NewsFacts = {
  /** The time of the event, milliseconds since 1970. */
  readonly at: number
  /** The name of the object for users: a run's title, an agent's name. */
  readonly name: string
  /** The status in which it ended. */
  readonly status?: string
  /** Set for a run. */
  readonly run?: { readonly kind: 'PLAN' | 'SESSION' | 'WORKFLOW'; readonly number: number }
  /** The agent of the machine on which it happened. */
  readonly agentId?: string
}

/** News older than this is not delivered any more. Milliseconds. */
export const newsLifetimeMs = 86_400_000
