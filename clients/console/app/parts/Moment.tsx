/** When something was, as people say it; the exact time in the reader's zone on hover. */
import { signal } from '@preact/signals'
import { lasted, roughly } from './lasted.ts'

/** As of the last few seconds: one clock for all that is shown. */
const now = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 5_000)

/** Milliseconds since 1970. What shows it is drawn anew as time goes by; what has come since the last tick does not lie ahead. */
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
