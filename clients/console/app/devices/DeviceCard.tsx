/** One enrolled device: its identifiers, who enrolled it, and its name, which is changed in place. */
import { useEffect, useRef } from 'preact/hooks'
import { requestGraphql } from '../data/request.ts'
import { formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../parts/forms/FormErrors.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { type EnrolledDevice, renameMutation } from './device.ts'

const texts = messages.devices.enrolled

export function getDeviceName({ displayName, product, id }: EnrolledDevice): string {
  return displayName ?? product ?? id
}

interface DeviceCardProps {
  readonly device: EnrolledDevice
  readonly isRenaming: boolean
  onRename(): void
  onRenameEnd(): void
  onRemove(): void
}

export function DeviceCard({ device, isRenaming, onRename, onRenameEnd, onRemove }: DeviceCardProps) {
  const { product, platform, osVersion, enrolledAt, enrolledBy, udid, serial } = device
  const name = getDeviceName(device)
  const renameButton = useRef<HTMLButtonElement>(null)
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  return (
    <li>
      {isRenaming ? <RenameForm device={device} onEnd={onRenameEnd} /> : <span class="item-name">{name}</span>}
      <span class="hint device-model">
        {[texts.platforms[platform], product, osVersion].filter(Boolean).join(' · ')}
      </span>
      <dl class="terms">
        <dt>UDID</dt>
        <dd>
          <code>{udid}</code>
        </dd>
        {serial && (
          <>
            <dt>{texts.serial}</dt>
            <dd>
              <code>{serial}</code>
            </dd>
          </>
        )}
        {enrolledAt && (
          <>
            <dt>{texts.enrolledAt}</dt>
            <dd>
              {enrolledBy === null ? (
                <RelativeTime at={enrolledAt} />
              ) : (
                formatParts(texts.enrolledBy, { time: <RelativeTime at={enrolledAt} />, name: enrolledBy.name })
              )}
            </dd>
          </>
        )}
      </dl>
      {!isRenaming && (
        <p class="row-actions">
          <button
            type="button"
            class="quiet"
            ref={renameButton}
            aria-label={`${texts.rename}: ${name}`}
            onClick={onRename}
          >
            {texts.rename}
          </button>
          <ActionButton look="danger" label={`${texts.remove}: ${name}`} onClick={onRemove}>
            {texts.remove}
          </ActionButton>
        </p>
      )}
    </li>
  )
}

interface RenameFormProps {
  readonly device: EnrolledDevice
  onEnd(): void
}

function RenameForm({ device, onEnd }: RenameFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const submission = useFormSubmission(async (formData) => {
    const displayName = String(formData.get('displayName')).trim()
    const input = { deviceId: device.id, displayName, expectedRevision: device.revision }
    await requestGraphql(renameMutation, { input })
  }, onEnd)
  useEffect(() => form.current?.querySelector('input')?.select(), [])
  return (
    <form
      ref={form}
      class="rename-form"
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <FormErrors submission={submission}>
        <Field name="displayName" label={texts.name} value={device.displayName ?? ''} />
      </FormErrors>
      <div class="row-actions">
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {texts.save}
        </ActionButton>
        <button type="button" class="quiet" onClick={onEnd}>
          {messages.parts.cancel}
        </button>
      </div>
    </form>
  )
}
