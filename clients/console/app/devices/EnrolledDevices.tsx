/** The enrolled devices, on which builds can be tested. Every user sees all of them. */
import { useState } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { locale, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ShowMore } from '../parts/lists/ShowMore.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { useDialog } from '../state/dialogStore.ts'
import { DeviceCard, getDeviceName } from './DeviceCard.tsx'
import { devicesQuery, type EnrolledDevice, removeMutation } from './device.ts'
import { EnrollDeviceDialog } from './EnrollDeviceDialog.tsx'

const texts = messages.devices.enrolled

export function EnrolledDevices() {
  const list = usePagedList(devicesQuery, 'devices', {}, ({ id }) => id)
  const { items, error, totalCount, refreshAll } = list
  useOnTransition('DEVICE', list.refresh)
  // One at a time: the fields of two forms would have the same ID.
  const [renamedId, setRenamedId] = useState<string>()
  const { dialog, open, close } = useDialog<'enroll' | EnrolledDevice>()
  const heading = useFocusFallback()
  return (
    <section class="group" aria-labelledby="enrolled-devices">
      <div class="heading-row">
        <h2 id="enrolled-devices" ref={heading} tabIndex={-1}>
          {texts.title} {items && <span class="count">{totalCount.toLocaleString(locale)}</span>}
        </h2>
        <div class="row-actions">
          {items !== undefined && items.length > 0 && (
            <a class="quiet" href="/api/ios/devices/export.tsv" download>
              {texts.export}
            </a>
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setRenamedId(undefined)
              open('enroll')
            }}
          >
            {texts.enroll}
          </button>
        </div>
      </div>
      <p class="note">{texts.note}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <EmptyState title={texts.none}>
          <p>{texts.noneHint}</p>
        </EmptyState>
      )}
      <ul class="cards owned" aria-label={texts.title}>
        {items?.map((device) => (
          <DeviceCard
            key={device.id}
            device={device}
            isRenaming={device.id === renamedId}
            onRename={() => setRenamedId(device.id)}
            onRenameEnd={() => {
              setRenamedId(undefined)
              refreshAll()
            }}
            onRemove={() => open(device)}
          />
        ))}
      </ul>
      {items && <ShowMore shown={items.length} list={list} />}
      {dialog === 'enroll' && <EnrollDeviceDialog onClose={close} />}
      {typeof dialog === 'object' && (
        <ConfirmDialog
          title={`${texts.remove}: ${getDeviceName(dialog)}`}
          confirmLabel={texts.remove}
          look="danger"
          onClose={close}
          onConfirm={async () => {
            await requestGraphql(removeMutation, {
              input: { deviceId: dialog.id, expectedRevision: dialog.revision },
            })
            refreshAll()
          }}
        >
          <p>{texts.removeHint}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
