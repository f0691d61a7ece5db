/** Adds a machine: its name and folders, the command that enrolls it, and whether it has connected. */
import { useState } from 'preact/hooks'
import { siblingId } from '../../../../spec/core/ids.ts'
import { ApiError } from '../data/apiError.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { format, formatParts, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { Dialog } from '../parts/forms/Dialog.tsx'
import { DialogForm } from '../parts/forms/DialogForm.tsx'
import { Field, TextAreaField } from '../parts/forms/Field.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { readRoots, withRoots } from './enrollmentCommand.ts'
import { serviceCommand, unit, unitFile } from './serviceUnit.ts'

const { add: texts } = messages.machines

const createTokenMutation = graphql(
  'mutation ($name: String) { createEnrollmentToken(input: { name: $name }) { enrollmentId command expiresAt } }',
)
const agentsSubscription = graphql('subscription { agentStatusChanged { id name connectionStatus } }')

interface Enrollment {
  readonly id: string
  readonly command: string
  readonly expiresAt: string
}

export function AddMachineDialog({ onClose }: { onClose(): void }) {
  const [enrollment, setEnrollment] = useState<Enrollment>()
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {(close) =>
        enrollment === undefined ? (
          <MachineForm onEnroll={setEnrollment} onCancel={close} />
        ) : (
          <EnrollmentSteps enrollment={enrollment} onClose={close} />
        )
      }
    </Dialog>
  )
}

interface MachineFormProps {
  onEnroll(enrollment: Enrollment): void
  onCancel(): void
}

function MachineForm({ onEnroll, onCancel }: MachineFormProps) {
  const createCommand = async (formData: FormData) => {
    const roots = readRoots(String(formData.get('roots')))
    if (roots.length === 0) throw new ApiError('BAD_USER_INPUT', texts.wrongRoots, { field: 'roots' })
    const name = String(formData.get('name')).trim()
    const created = await requestGraphql(createTokenMutation, { name: name === '' ? null : name })
    const { enrollmentId, command, expiresAt } = created.createEnrollmentToken
    onEnroll({ id: enrollmentId, command: withRoots(command ?? '', roots), expiresAt })
  }
  return (
    <DialogForm submitLabel={texts.create} onSubmit={createCommand} onCancel={onCancel}>
      <TextAreaField name="roots" label={texts.roots} hint={texts.rootsHint} value="~/code" rows={2} isCode hasFocus />
      <Field name="name" label={texts.name} hint={texts.nameHint} isOptional maxLength={100} />
    </DialogForm>
  )
}

interface EnrollmentStepsProps {
  readonly enrollment: Enrollment
  onClose(): void
}

function EnrollmentSteps({ enrollment: { id, command, expiresAt }, onClose }: EnrollmentStepsProps) {
  const agent = useEnrolledAgent(id)
  return (
    <>
      <p>{texts.run}</p>
      <CopyableText what={texts.command} text={command} />
      <p class="hint">{formatParts(texts.token, { time: <RelativeTime at={expiresAt} /> })}</p>
      <p class="hint">{texts.detect}</p>
      <details class="disclosure">
        <summary>{texts.service}</summary>
        <p>{formatParts(texts.serviceSteps, { file: <code>{unitFile}</code> })}</p>
        <CopyableText what={texts.unit} text={unit} />
        <p>{texts.serviceStart}</p>
        <CopyableText what={texts.serviceCommand} text={serviceCommand} />
      </details>
      <p class={agent ? 'connected-notice' : 'notice'} role="status">
        {agent ? format(texts.connected, { name: agent.name }) : texts.waiting}
      </p>
      <div class="buttons">
        {agent && (
          <a class="secondary" href={`/machines/${agent.id}`}>
            {texts.open}
          </a>
        )}
        <button type="button" class={agent ? 'primary' : 'secondary'} onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </>
  )
}

type EnrolledAgent = ResultOf<typeof agentsSubscription>['agentStatusChanged']

/** The machine of the enrollment, once it has connected. */
function useEnrolledAgent(enrollmentId: string): EnrolledAgent | undefined {
  const { objects } = useLiveObjects(agentsSubscription, 'agentStatusChanged', {})
  const agent = objects.get(siblingId('agent', enrollmentId))
  return agent?.connectionStatus === 'CONNECTED' ? agent : undefined
}
