/** The user's own devices that receive notifications. An app registers the device that it runs on. */
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import {
  type NotificationDevice,
  notificationDevicesQuery,
  pushSettingQuery,
  removeNotificationDeviceMutation,
} from './device.ts'

const texts = messages.devices.push

const keys = createRepeatKeys()

export function NotificationDevices() {
  const { data, error, refresh } = useQuery(notificationDevicesQuery, {})
  useOnTransition('NOTIFICATION_DEVICE', refresh)
  const { dialog: removed, open, close } = useDialog<NotificationDevice>()
  const heading = useFocusFallback()
  const devices = data?.notificationDevices
  return (
    <section class="group" aria-labelledby="notification-devices">
      <h2 id="notification-devices" ref={heading} tabIndex={-1}>
        {texts.title} {devices && <span class="count">{devices.length.toLocaleString(locale)}</span>}
      </h2>
      <p class="note">{texts.note}</p>
      <PushNotice />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {devices === undefined && !error && <Loading />}
      {devices?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{texts.connect}</p>
          <CopyableText what={texts.address} text={location.origin} />
        </EmptyState>
      )}
      <ul class="cards owned" aria-label={texts.title}>
        {devices?.map((device) => (
          <NotificationDeviceCard key={device.id} device={device} onRemove={() => open(device)} />
        ))}
      </ul>
      {removed && (
        <ConfirmDialog
          title={`${texts.remove}: ${removed.displayName}`}
          confirmLabel={texts.remove}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            const input = { deviceId: removed.id }
            await keys.send(input, (idempotencyKey) =>
              requestGraphql(removeNotificationDeviceMutation, { input: { ...input, idempotencyKey } }),
            )
            refresh()
          }}
        >
          <p>{texts.removeHint}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

interface NotificationDeviceCardProps {
  readonly device: NotificationDevice
  onRemove(): void
}

function NotificationDeviceCard({ device, onRemove }: NotificationDeviceCardProps) {
  const { status, reason, displayName, environment, topic, deviceModel, osVersion, lastRegisteredAt } = device
  const facts = [
    deviceModel,
    osVersion,
    [topic, device.appVersion, device.appBuild && `(${device.appBuild})`].filter(Boolean).join(' '),
    environment === 'SANDBOX' && texts.sandbox,
  ].filter(Boolean)
  return (
    <li>
      <span class="item-name">{displayName}</span>
      <StatusBadge status={status} />
      <p class="hint">
        {facts.join(' · ')}
        {' · '}
        {formatParts(texts.lastRegistered, { time: <RelativeTime at={lastRegisteredAt} /> })}
      </p>
      {reason && <p>{reason === 'SESSION_OVER' ? texts.sessionEnded : format(texts.tokenRejected, { reason })}</p>}
      <p class="row-actions">
        <ActionButton look="danger" label={`${texts.remove}: ${displayName}`} onClick={onRemove}>
          {texts.remove}
        </ActionButton>
      </p>
    </li>
  )
}

/** Registered devices receive nothing from a server without a key of Apple's push service. */
function PushNotice() {
  const { data } = useQuery(pushSettingQuery, {})
  const setting = data?.installationStatus.settings.find(({ name }) => name === 'APNS_KEY')
  if (setting === undefined || setting.set) return null
  return <p class="notice">{formatParts(texts.off, { setting: <code>APNS_KEY</code> })}</p>
}
