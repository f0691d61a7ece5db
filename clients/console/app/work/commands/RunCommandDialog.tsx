/** Runs a command on a worktree, with a preview of what it runs. */
import { useMemo, useState } from 'preact/hooks'
import { requestGraphql } from '../../data/request.ts'
import { format, messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { Field } from '../../parts/forms/Field.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { navigate } from '../../router.ts'
import { useAttachments } from '../../runs/attachments/useAttachments.ts'
import { RunOptions } from '../../runs/create/RunOptions.tsx'
import { readRunInput } from '../../runs/create/readRunInput.ts'
import { emptyDraft } from '../../runs/create/runDraft.ts'
import { WorktreeField } from '../WorktreeField.tsx'
import { ArgumentFields, readArguments } from '../workflows/ArgumentFields.tsx'
import { type Command, runMutation } from './command.ts'
import { expandCommand } from './expandCommand.ts'
import { TemplateText } from './TemplateText.tsx'

const texts = messages.commands

interface RunCommandDialogProps {
  readonly command: Command
  onClose(): void
}

export function RunCommandDialog({ command, onClose }: RunCommandDialogProps) {
  const { id, name, kind, arguments: declared } = command
  const taskType = kind === 'PROMPT' ? 'prompt' : 'command'
  const keys = useMemo(createRepeatKeys, [])
  const [worktreeId, setWorktreeId] = useState<string>()
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  const { files, store, handlers, requireUploaded } = useAttachments(kind === 'PROMPT')
  return (
    <ConfirmDialog
      title={format(texts.runTitle, { name })}
      confirmLabel={texts.run}
      onClose={onClose}
      onConfirm={async (formData) => {
        const { kind: _kind, task: _task, ...options } = readRunInput(formData, taskType, requireUploaded(), [])
        const request = {
          ...options,
          command: { id },
          worktreeId: String(formData.get('worktreeId')),
          arguments: readArguments(formData, declared, 'arguments'),
        }
        const { runCommand } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(runMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/runs/${runCommand.run.id}`)
      }}
    >
      <div
        class="run-command stack"
        onInput={({ currentTarget }) => {
          const form = currentTarget.closest('form')
          if (form) setValues(readArguments(new FormData(form), declared, 'arguments'))
        }}
        {...handlers}
      >
        <ArgumentFields declared={declared} values={{}} group="arguments" />
        <section aria-label={texts.preview}>
          <p class="preview-heading">{texts.preview}</p>
          <TemplateText kind={kind} text={expandCommand(command, values)} />
        </section>
        <WorktreeField onChoose={setWorktreeId} />
        <RunOptions
          draft={emptyDraft}
          taskType={taskType}
          placeId={worktreeId}
          files={files}
          attachments={store}
          hasKinds={false}
        />
        <Field
          name="title"
          label={messages.newRun.options.runTitle}
          hint={texts.titleHint}
          maxLength={200}
          isOptional
        />
      </div>
    </ConfirmDialog>
  )
}
