/** States that the connection is lost, and of what time the data of the page are. */
import { format, locale, messages } from '../messages.ts'
import { connectionStore } from '../state/connectionStore.ts'
import { useSelector } from '../state/useSelector.ts'

const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })

export function ConnectionBanner() {
  const { status, lostAt } = useSelector(connectionStore, (context) => context)
  const { reconnecting, dataOf } = messages.shell.connection
  return (
    <div class="connection-banner" role="status">
      {status === 'reconnecting' && (
        <p>
          <b>{reconnecting}</b> {lostAt !== undefined && format(dataOf, { time: timeFormat.format(lostAt) })}
        </p>
      )}
    </div>
  )
}
