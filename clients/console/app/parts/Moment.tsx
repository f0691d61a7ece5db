/** A relative time. The tooltip has the exact time in the reader's zone. */
import { signal } from '@preact/signals'
import { lasted, roughly } from './lasted.ts'

/** The time of the last few seconds: one clock for all that is shown. */
const now = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 5_000)

/**
 * Milliseconds since 1970. A component that calls it is rendered again as time passes. A value since the last tick is never in the
 * future.
 */
export function present(): number {
  return Math.max(now.value, Date.now())
}

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function Moment({ at }: { readonly at: string }) {
  const ms = Date.parse(at)
  const gone = present() - ms
  const words = gone < -1_000 ? `in ${lasted(-gone)}` : gone < 5_000 ? 'just now' : `${roughly(gone)} ago`
  return (
    <time dateTime={at} title={exactly.format(ms)}>
      {words}
    </time>
  )
}
