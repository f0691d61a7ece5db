/** The pushes that a configuration builds: the branches, and the worktree on whose machine they are built. */
import { useState } from 'preact/hooks'
import { messages } from '../../messages.ts'
import { Field } from '../../parts/forms/Field.tsx'
import { WorktreeField } from '../../work/WorktreeField.tsx'

const texts = messages.buildConfigurations

interface OnPushFieldsProps {
  readonly onPush: { readonly branches: readonly string[]; readonly worktreeId: string } | null
}

export function OnPushFields({ onPush }: OnPushFieldsProps) {
  const [isOn, setOn] = useState(onPush !== null)
  return (
    <>
      <fieldset class="checks">
        <legend>{texts.onPush}</legend>
        <label>
          <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => setOn(currentTarget.checked)} />{' '}
          {texts.buildPushes}
        </label>
      </fieldset>
      {isOn && (
        <Field
          name="onPush.branches"
          label={texts.branches}
          hint={texts.branchesHint}
          value={onPush?.branches.join(', ') ?? 'main'}
        />
      )}
      {isOn && <WorktreeField name="onPush.worktreeId" initialId={onPush?.worktreeId} />}
    </>
  )
}
