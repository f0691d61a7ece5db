/** Notifications of the browser about new items of the inbox. They are shown only while the console is open in a tab that is hidden. */
import { createStore } from '@xstate/store'
import { format, messages } from '../messages.ts'
import { actionCenterStore } from '../state/actionCenterStore.ts'

const storageKey = 'signalbox.inboxNotifications'

interface NotificationContext {
  /** Whether the user has turned them on in this browser. */
  readonly isOn: boolean
}

function readChoice(): boolean {
  return isSupported() && Notification.permission === 'granted' && localStorage.getItem(storageKey) === 'on'
}

/** A page without TLS has no notifications. */
export function isSupported(): boolean {
  return typeof Notification !== 'undefined' && isSecureContext
}

export const notificationStore = createStore({
  context: { isOn: readChoice() } satisfies NotificationContext as NotificationContext,
  on: {
    chosen: (_, { isOn }: { isOn: boolean }): NotificationContext => ({ isOn }),
  },
})

/** Asks the user for permission, after the user has pressed the button. @returns whether they are allowed */
export async function turnOnNotifications(): Promise<boolean> {
  const isAllowed = (await Notification.requestPermission()) === 'granted'
  choose(isAllowed)
  return isAllowed
}

export function turnOffNotifications(): void {
  choose(false)
}

function choose(isOn: boolean): void {
  localStorage.setItem(storageKey, isOn ? 'on' : 'off')
  notificationStore.trigger.chosen({ isOn })
}

/** Shows a notification each time that the number of items that need a person grows. The first report is no news. */
export function watchInbox(): void {
  let known: number | undefined
  actionCenterStore.subscribe(({ context: { counts } }) => {
    if (counts === undefined) return
    const count = counts.critical + counts.high
    const isNews = known !== undefined && count > known
    known = count
    if (!isNews || !document.hidden || !readChoice()) return
    // A later notification replaces this one.
    const shown = new Notification('Signalbox', {
      body: format(messages.inbox.notify.body, { count }),
      tag: storageKey,
    })
    shown.onclick = () => {
      focus()
      shown.close()
    }
  })
}
