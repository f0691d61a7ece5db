/** Has a session carry out a plan, on the worktree of the plan or on another one. */
import { format, messages } from '../../messages.ts'
import { ConfirmDialog } from '../../parts/forms/ConfirmDialog.tsx'
import { Field, NumberField } from '../../parts/forms/Field.tsx'
import { navigate } from '../../router.ts'
import { useStartAgain } from '../../runs/useStartAgain.ts'
import { WorktreeField } from '../WorktreeField.tsx'

const texts = messages.plans

interface ExecutePlanDialogProps {
  readonly plan: { readonly id: string; readonly title: string; readonly worktreeId: string; readonly revision: number }
  onClose(): void
}

export function ExecutePlanDialog({ plan: { id, title, worktreeId, revision }, onClose }: ExecutePlanDialogProps) {
  const { executePlan } = useStartAgain()
  return (
    <ConfirmDialog
      title={format(texts.executeTitle, { title })}
      confirmLabel={messages.run.actions.executePlan}
      onClose={onClose}
      onConfirm={async (formData) => {
        const read = (name: string) => String(formData.get(name) ?? '').trim()
        const request = {
          planId: id,
          worktreeId: read('worktreeId'),
          ...(read('revision') === '' ? {} : { revision: Number(read('revision')) }),
          ...(read('prompt') === '' ? {} : { prompt: read('prompt') }),
        }
        navigate(`/runs/${await executePlan(request)}`)
      }}
    >
      <p>{texts.executeHint}</p>
      <Field name="prompt" label={texts.instructions} hint={texts.instructionsHint} isOptional />
      {revision > 1 && <NumberField name="revision" label={texts.revision} value={revision} min={1} max={revision} />}
      <WorktreeField initialId={worktreeId} />
    </ConfirmDialog>
  )
}
