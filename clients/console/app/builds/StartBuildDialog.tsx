/** Starts a build of a configuration on the machine of a worktree. */
import { useMemo, useState } from 'preact/hooks'
import type { EnumValue } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { format, messages } from '../messages.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ChoiceField, Field } from '../parts/forms/Field.tsx'
import { createRepeatKeys } from '../parts/forms/repeatKeys.ts'
import { navigate } from '../router.ts'
import { WorktreeField } from '../work/WorktreeField.tsx'
import { startMutation } from './build.ts'

const texts = messages.builds

interface StartBuildDialogProps {
  readonly configurationId: string
  readonly name: string
  /** Whether the configuration has coverage reports, so that it has COVERAGE builds. */
  readonly hasCoverage: boolean
  onClose(): void
}

export function StartBuildDialog({ configurationId, name, hasCoverage, onClose }: StartBuildDialogProps) {
  const keys = useMemo(createRepeatKeys, [])
  const [source, setSource] = useState<EnumValue<'BuildSource'>>('COMMIT')
  return (
    <ConfirmDialog
      title={format(texts.startTitle, { name })}
      confirmLabel={texts.start}
      onClose={onClose}
      onConfirm={async (formData) => {
        const commit = String(formData.get('commit') ?? '').trim()
        const request = {
          buildConfigurationId: configurationId,
          worktreeId: String(formData.get('worktreeId')),
          ...(source === 'WORKTREE'
            ? { source, exclusiveWorktree: formData.has('exclusive') }
            : commit === ''
              ? {}
              : { commit }),
          ...(formData.get('kind') === 'COVERAGE' ? ({ kind: 'COVERAGE' } as const) : {}),
        }
        const { startBuild } = await keys.send(request, (idempotencyKey) =>
          requestGraphql(startMutation, { input: { ...request, idempotencyKey } }),
        )
        navigate(`/builds/${startBuild.build.id}`)
      }}
    >
      {hasCoverage && <ChoiceField name="kind" label={texts.kind} choices={texts.kinds} value="BUILD" />}
      <WorktreeField />
      <ChoiceField
        name="source"
        label={texts.source}
        choices={texts.sources}
        value={source}
        onChange={(value) => setSource(value === 'WORKTREE' ? value : 'COMMIT')}
      />
      <p class="hint">{texts.sourceHint}</p>
      {source === 'COMMIT' ? (
        <Field name="commit" label={texts.commit} hint={texts.commitHint} maxLength={244} isOptional />
      ) : (
        <fieldset class="checks">
          <legend>{texts.reservation}</legend>
          <label>
            <input type="checkbox" name="exclusive" /> {texts.exclusive}
          </label>
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
