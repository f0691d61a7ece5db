/** Tells who paused the queue of a worktree, when and why. */
import { formatParts, messages } from '../messages.ts'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import type { QueuePause } from './queueQuery.ts'

const { queue: texts } = messages.worktrees

export function PauseNotice({ pause: { pausedBy, since, reason } }: { readonly pause: QueuePause }) {
  const name =
    pausedBy === null
      ? texts.someone
      : 'name' in pausedBy
        ? pausedBy.name
        : 'title' in pausedBy
          ? pausedBy.title
          : texts.someone
  const time = <RelativeTime at={since} />
  return (
    <p class="notice" role="status">
      {reason === null
        ? formatParts(texts.paused, { name, time })
        : formatParts(texts.pausedBecause, { name, time, reason })}
    </p>
  )
}
