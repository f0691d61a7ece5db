/** The choices of a new run that have defaults. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import { AttachmentsField } from '../attachments/AttachmentsField.tsx'
import type { AttachedFile, AttachmentsStore } from '../attachments/attachmentsStore.ts'
import { CliField } from './CliField.tsx'
import { PresetsField } from './PresetsField.tsx'
import type { RunDraft } from './runDraft.ts'

const { options: texts, kind: kindTexts } = messages.newRun
const kinds: Readonly<Record<RunDraft['kind'], string>> = { SESSION: kindTexts.SESSION, PLAN: kindTexts.PLAN }
const policies: Readonly<Record<RunDraft['permissionPolicy'], string>> = texts.policies

interface RunOptionsProps {
  readonly draft: RunDraft
  readonly taskType: RunDraft['taskType']
  /** The ID of the chosen worktree or codebase. */
  readonly placeId: string | undefined
  readonly files: readonly AttachedFile[]
  readonly attachments: AttachmentsStore
  /** Whether the user chooses between a session and a plan. */
  readonly hasKinds?: boolean
}

export function RunOptions({ draft, taskType, placeId, files, attachments, hasKinds = true }: RunOptionsProps) {
  const [kind, setKind] = useState(draft.kind)
  const isPrompt = taskType === 'prompt'
  return (
    <>
      {isPrompt && (
        <div class="field-columns">
          {hasKinds && (
            <ChoiceField
              name="kind"
              label={kindTexts.label}
              choices={kinds}
              value={kind}
              onChange={(value) => setKind(value === 'PLAN' ? 'PLAN' : 'SESSION')}
            />
          )}
          <CliField placeId={placeId} value={draft.cli} />
        </div>
      )}
      <details class="more-options">
        <summary>{texts.more}</summary>
        <div class="field-columns">
          {isPrompt && (
            <>
              <Field
                name="configuration.model"
                label={texts.model}
                hint={texts.modelHint}
                value={draft.model}
                isOptional
              />
              <Field name="configuration.mode" label={texts.mode} hint={texts.modeHint} value={draft.mode} isOptional />
              <ChoiceField
                name="permissionPolicy"
                label={texts.policy}
                choices={policies}
                value={draft.permissionPolicy}
              />
              {draft.permissionRules.length > 0 && (
                <p class="hint">
                  {format(texts.keptRules, {
                    rules: draft.permissionRules.map(({ kind: tool, decision }) => `${tool} ${decision}`).join(', '),
                  })}
                </p>
              )}
            </>
          )}
          <NumberField
            name="timeoutMinutes"
            label={texts.timeout}
            hint={texts.timeoutHint}
            value={draft.timeoutMinutes}
            min={1}
            max={10_080}
            hasDecimals
          />
          <NumberField
            name="configuration.worktreeConcurrencyLimit"
            label={texts.limit}
            hint={texts.limitHint}
            value={draft.concurrencyLimit}
            min={0}
            max={32}
          />
        </div>
        {isPrompt && <PresetsField kind={kind} selectedIds={draft.presetIds} />}
      </details>
      {isPrompt && <AttachmentsField files={files} store={attachments} />}
    </>
  )
}
