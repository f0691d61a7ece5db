/** Turns the browser's notifications about the inbox on and off. The browser asks for permission only after this button is pressed. */
import { useState } from 'preact/hooks'
import { messages } from '../messages.ts'
import { useSelector } from '../state/useSelector.ts'
import { isSupported, notificationStore, turnOffNotifications, turnOnNotifications } from './inboxNotifications.ts'

const texts = messages.inbox.notify

export function NotificationButton() {
  const isOn = useSelector(notificationStore, (context) => context.isOn)
  const [isDenied, setDenied] = useState(false)
  if (!isSupported()) return null
  const toggle = async () => {
    if (isOn) turnOffNotifications()
    else setDenied(!(await turnOnNotifications()))
  }
  return (
    <span>
      <button type="button" class="quiet" aria-pressed={isOn} onClick={() => void toggle()}>
        {isOn ? texts.off : texts.on}
      </button>
      {isDenied && (
        <span role="status" class="hint">
          {' '}
          {texts.denied}
        </span>
      )}
    </span>
  )
}
