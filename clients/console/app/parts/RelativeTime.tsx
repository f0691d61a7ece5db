/** A relative time. The tooltip has the exact time in the reader's zone. */
import { format, locale, messages } from '../messages.ts'
import { clockStore } from '../state/clockStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { formatDuration, formatRoughDuration } from './formatDuration.ts'

const { time: texts } = messages.parts

/**
 * Milliseconds since 1970. A component that calls it is rendered again as time passes. A value since the last tick is never in the
 * future.
 */
export function useNow(): number {
  return Math.max(
    useSelector(clockStore, ({ now }) => now),
    Date.now(),
  )
}

const exactFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** @param ms since 1970 */
export function formatExactTime(ms: number): string {
  return exactFormat.format(ms)
}

export function RelativeTime({ at }: { readonly at: string }) {
  const ms = Date.parse(at)
  const now = useNow()
  return (
    <time dateTime={at} title={formatExactTime(ms)}>
      {formatElapsed(now - ms)}
    </time>
  )
}

function formatElapsed(ms: number): string {
  if (ms < -1_000) return format(texts.in, { duration: formatDuration(roundDays(-ms)) })
  return ms < 5_000 ? texts.justNow : format(texts.ago, { duration: formatRoughDuration(ms) })
}

const day = 86_400_000

/** Returns whole days from ten days on. A key that lasts 90 days is not one of 89 a second later. */
function roundDays(ms: number): number {
  return ms < 10 * day ? ms : Math.round(ms / day) * day
}
