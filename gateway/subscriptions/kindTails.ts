/** The latest transitions of each kind of actor. */
import type { Clock } from '../../actors/ports/clock.ts'
import { comparePositions, type HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Feed } from '../../storage/ports/feed.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { both } from './following.ts'
import { kindPage } from './kindPage.ts'
import { Tails } from './tails.ts'

/** The interval of reads without a hint. It keeps the range of other kinds short that a read must skip. */
const idleMs = 1_000

interface KindSources {
  readonly feed: Feed
  readonly views: TypedViews
  readonly clock: Clock
}

export class KindTails extends Tails<ActorKind, HistoryPosition> {
  constructor({ feed, views, clock }: KindSources) {
    super(
      {
        async read(kind, after) {
          const { transitions, ...page } = await kindPage(views, kind, after)
          const items = transitions.map((one) => ({
            item: { type: 'transition', ...one } as const,
            position: one.position,
          }))
          return { ...page, items }
        },
        end: () => views.historyEnd(),
        compare: comparePositions,
        onHint: (kind, wake) => both(feed.onKind(kind, wake), feed.onGap(wake)),
        idleMs,
      },
      clock,
    )
  }
}
