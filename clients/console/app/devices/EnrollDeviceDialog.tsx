/** Enrolls a device: its name, the link that is opened on it, and whether the device has answered. */
import { useState } from 'preact/hooks'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { DialogForm } from '../parts/forms/DialogForm.tsx'
import { Field } from '../parts/forms/Field.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { enrollmentQuery, startEnrollment } from './device.ts'

const texts = messages.devices.enroll

interface Enrollment {
  readonly id: string
  readonly link: string
  readonly expiresAt: string
}

export function EnrollDeviceDialog({ onClose }: { onClose(): void }) {
  const [enrollment, setEnrollment] = useState<Enrollment>()
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {(close) =>
        enrollment === undefined ? (
          <DeviceForm onEnroll={setEnrollment} onCancel={close} />
        ) : (
          <EnrollmentSteps enrollment={enrollment} onClose={close} />
        )
      }
    </Dialog>
  )
}

interface DeviceFormProps {
  onEnroll(enrollment: Enrollment): void
  onCancel(): void
}

function DeviceForm({ onEnroll, onCancel }: DeviceFormProps) {
  const start = async (formData: FormData) => {
    const name = String(formData.get('displayName')).trim()
    const { id, profileUrl, expiresAt } = await startEnrollment(name === '' ? null : name)
    onEnroll({ id, link: profileUrl ?? '', expiresAt })
  }
  return (
    <DialogForm submitLabel={texts.create} onSubmit={start} onCancel={onCancel}>
      <p>{texts.purpose}</p>
      <Field name="displayName" label={texts.name} hint={texts.nameHint} isOptional />
    </DialogForm>
  )
}

interface EnrollmentStepsProps {
  readonly enrollment: Enrollment
  onClose(): void
}

function EnrollmentSteps({ enrollment: { id, link, expiresAt }, onClose }: EnrollmentStepsProps) {
  const { data, error, refresh } = useQuery(enrollmentQuery, { id })
  useOnTransition('DEVICE_ENROLLMENT', refresh)
  // The name is in the device, which learns it after the enrollment.
  useOnTransition('DEVICE', refresh)
  const { status = 'STARTED', problem, device } = data?.deviceEnrollment ?? {}
  const isOpen = status === 'STARTED' || status === 'PROFILE_SENT'
  return (
    <>
      {isOpen && (
        <ol class="enrollment-steps">
          <li>
            <p>{formatParts(texts.open, { time: <RelativeTime at={expiresAt} /> })}</p>
            <CopyableText what={texts.link} text={link} />
            <p class="hint">{format(texts.reach, { origin: new URL(link).origin })}</p>
          </li>
          <li>{texts.install}</li>
        </ol>
      )}
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <p class={status === 'ENROLLED' ? 'connected-notice' : 'notice'} role="status">
        {status === 'ENROLLED'
          ? format(texts.statuses.ENROLLED, { name: device?.displayName ?? texts.unnamed })
          : status === 'REJECTED'
            ? format(texts.statuses.REJECTED, { problem: problem ?? '' })
            : texts.statuses[status]}
      </p>
      <div class="buttons">
        <button type="button" class={isOpen ? 'secondary' : 'primary'} onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </>
  )
}
