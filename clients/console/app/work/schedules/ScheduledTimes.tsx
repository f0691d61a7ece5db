/** The next times of a schedule, in its time zone. The tooltip has the time in the reader's zone. */
import { locale, messages } from '../../messages.ts'

interface ScheduledTimesProps {
  /** RFC 3339. */
  readonly times: readonly string[]
  readonly timeZone: string
}

export function ScheduledTimes({ times, timeZone }: ScheduledTimesProps) {
  if (times.length === 0) return <p class="hint">{messages.schedules.noMoreTimes}</p>
  return (
    <ol class="scheduled-times" aria-label={messages.schedules.nextTimes}>
      {times.map((at) => (
        <li key={at}>
          <time dateTime={at} title={formatTime(at, undefined)}>
            {formatTime(at, timeZone)}
          </time>
        </li>
      ))}
    </ol>
  )
}

/** @param timeZone undefined for the reader's */
function formatTime(at: string, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(Date.parse(at))
}
