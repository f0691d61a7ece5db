/** When something was, as people say it; the exact time in the reader's zone on hover. */
import { signal } from '@preact/signals'
import { lasted, roughly } from './lasted.ts'

/** Milliseconds since 1970, as of the last few seconds: one clock for all that is shown. */
export const now = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 5_000)

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function Moment({ at }: { readonly at: string }) {
  const ms = Date.parse(at)
  // The clock says when to look again. What has come since its last tick does not lie ahead.
  const gone = Math.max(now.value, Date.now()) - ms
  const words = gone < -1_000 ? `in ${lasted(-gone)}` : gone < 5_000 ? 'just now' : `${roughly(gone)} ago`
  return (
    <time dateTime={at} title={exactly.format(ms)}>
      {words}
    </time>
  )
}
