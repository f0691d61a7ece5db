/** Continues the conversation of a run: sends a follow-up, with files, and shows those that wait. */
import { useMemo } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { TextAreaField } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { navigate } from '../../router.ts'
import { AttachmentsField } from '../attachments/AttachmentsField.tsx'
import { useAttachments } from '../attachments/useAttachments.ts'
import { QueuedFollowUps } from './QueuedFollowUps.tsx'

const { followUps: texts } = messages.run

const followUpMutation = graphql(`mutation ($input: CreateRunFollowUpInput!) {
  createRunFollowUp(input: $input) { run { id } queuedFollowUp { runId } }
}`)

interface FollowUpComposerProps {
  readonly runId: string
  /** Undefined for the run of a plan, whose follow-up revises the plan. */
  readonly sessionId: string | undefined
  readonly hasEnded: boolean
}

export function FollowUpComposer({ runId, sessionId, hasEnded }: FollowUpComposerProps) {
  const keys = useMemo(createRepeatKeys, [])
  const { files, store, handlers, requireUploaded } = useAttachments()
  const send = async (formData: FormData) => {
    const attachmentIds = requireUploaded()
    const prompt = String(formData.get('prompt')).trim()
    const request = { runId, prompt, ...(attachmentIds.length > 0 ? { attachmentIds } : {}) }
    const { createRunFollowUp } = await keys.send(request, (idempotencyKey) =>
      requestGraphql(followUpMutation, { input: { ...request, idempotencyKey } }),
    )
    for (const { key } of files) store.trigger.removed({ key })
    if (createRunFollowUp.run) navigate(`/runs/${createRunFollowUp.run.id}`)
  }
  const submission = useFormSubmission(send, () => {})
  return (
    <section class="follow-ups" aria-label={texts.label}>
      {sessionId !== undefined && <QueuedFollowUps sessionId={sessionId} />}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          submission.submit(event.currentTarget)
        }}
        {...handlers}
      >
        <FormErrors submission={submission}>
          <TextAreaField
            name="prompt"
            label={texts.followUp}
            hint={hasEnded ? texts.continues : texts.startsLater}
            rows={3}
          />
        </FormErrors>
        <details class="composer-files" open={files.length > 0}>
          <summary>{texts.addFiles}</summary>
          <AttachmentsField files={files} store={store} />
        </details>
        <div class="buttons">
          <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
            {texts.send}
          </ActionButton>
        </div>
      </form>
    </section>
  )
}
