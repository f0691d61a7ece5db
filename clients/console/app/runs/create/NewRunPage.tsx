/** Starts a run: a prompt for a coding CLI or a command, on a worktree or on a new one. */
import { useMemo, useState } from 'preact/hooks'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { Field, TextAreaField } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate, useFilters } from '../../router.ts'
import { useAttachments } from '../attachments/useAttachments.ts'
import { createWorktree } from './createWorktree.ts'
import { RunOptions } from './RunOptions.tsx'
import { readRunInput } from './readRunInput.ts'
import { type CreateRunInput, createRunMutation, loadDraft, type RunDraft, rememberChoices } from './runDraft.ts'
import { type Target, TargetFields } from './TargetFields.tsx'

const { newRun: texts } = messages

export function NewRunPage() {
  useDocumentTitle([messages.shell.newRun])
  const { from = '', worktree = '' } = useFilters()
  const key = `new run ${from} ${worktree}`
  const { data: draft, error } = useAsyncData(key, () => loadDraft(from, worktree))
  return (
    <section>
      <h1>{messages.shell.newRun}</h1>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {draft === undefined && !error && <Loading />}
      {draft && <NewRunForm key={key} draft={draft} />}
    </section>
  )
}

function NewRunForm({ draft }: { readonly draft: RunDraft }) {
  const [target, setTarget] = useState<Target>({ type: 'worktree', worktree: draft.worktree, codebase: undefined })
  const [taskType, setTaskType] = useState(draft.taskType)
  const { files, store, handlers, requireUploaded } = useAttachments(taskType === 'prompt')
  const [progress, setProgress] = useState('')
  const keys = useMemo(createRepeatKeys, [])
  const startRun = async (formData: FormData) => {
    const input = readRunInput(formData, taskType, requireUploaded(), draft.permissionRules)
    const worktreeId = await resolveWorktree(formData)
    const request: CreateRunInput = { ...input, worktreeId }
    setProgress(texts.starting)
    const idempotencyKey = keys.get(request)
    const { createAgentRun } = await requestGraphql(createRunMutation, { input: { ...request, idempotencyKey } })
    keys.clear()
    rememberChoices(request)
    navigate(`/runs/${createAgentRun.run.id}`)
  }
  const resolveWorktree = async (formData: FormData): Promise<string> => {
    if (target.type === 'worktree') return String(formData.get('worktreeId'))
    const [branch, base] = [String(formData.get('branch')).trim(), String(formData.get('base')).trim()]
    const wanted = { codebaseId: String(formData.get('codebaseId')), branch, base }
    setProgress(format(texts.creatingWorktree, { branch }))
    return await createWorktree({ ...wanted, idempotencyKey: keys.get(wanted) })
  }
  const submission = useFormSubmission(
    (formData) => startRun(formData).finally(() => setProgress('')),
    () => {},
  )
  return (
    <form
      class="new-run"
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
      {...handlers}
    >
      <FormErrors submission={submission}>
        <fieldset class="segments">
          <legend>{texts.task.label}</legend>
          {(['prompt', 'command'] as const).map((type) => (
            <label key={type}>
              <input
                type="radio"
                name="taskType"
                value={type}
                checked={taskType === type}
                onChange={() => setTaskType(type)}
              />
              {texts.task[type]}
            </label>
          ))}
        </fieldset>
        {taskType === 'prompt' ? (
          <TextAreaField
            key="prompt"
            name="task.prompt"
            label={texts.task.promptField}
            value={draft.taskType === 'prompt' ? draft.task : ''}
            rows={6}
            hasFocus
          />
        ) : (
          <TextAreaField
            key="command"
            name="task.command"
            label={texts.task.commandField}
            hint={texts.task.commandHint}
            value={draft.taskType === 'command' ? draft.task : ''}
            rows={3}
            isCode
          />
        )}
        <TargetFields target={target} onChange={setTarget} />
        <RunOptions
          draft={draft}
          taskType={taskType}
          placeId={(target.type === 'worktree' ? target.worktree : target.codebase)?.id}
          files={files}
          attachments={store}
        />
        <Field
          name="title"
          label={texts.options.runTitle}
          hint={texts.options.runTitleHint}
          value={draft.title}
          isOptional
        />
      </FormErrors>
      <div class="buttons">
        <p role="status" class="hint">
          {progress}
        </p>
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {texts.start}
        </ActionButton>
      </div>
    </form>
  )
}
