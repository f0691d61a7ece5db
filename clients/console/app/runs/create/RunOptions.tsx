/** The choices of a new run that have defaults. */
import { useState } from 'preact/hooks'
import { ChoiceField, Field, NumberField } from '../../parts/forms/Field.tsx'
import { AttachmentsField } from './AttachmentsField.tsx'
import type { AttachedFile, AttachmentsStore } from './attachmentsStore.ts'
import { CliField } from './CliField.tsx'
import { PresetsField } from './PresetsField.tsx'
import type { RunDraft } from './runDraft.ts'

const kinds: Readonly<Record<RunDraft['kind'], string>> = {
  SESSION: 'Session: do the work',
  PLAN: 'Plan: write a plan, change nothing',
}

const policies: Readonly<Record<RunDraft['permissionPolicy'], string>> = {
  ASK: 'Ask a person for each',
  ALLOW_EDITS: 'Allow edits of files, ask for the rest',
  ALLOW_ALL: 'Allow all',
  DENY: 'Reject all',
}

interface RunOptionsProps {
  readonly draft: RunDraft
  readonly taskType: RunDraft['taskType']
  /** The ID of the chosen worktree or codebase. */
  readonly placeId: string | undefined
  readonly files: readonly AttachedFile[]
  readonly attachments: AttachmentsStore
}

export function RunOptions({ draft, taskType, placeId, files, attachments }: RunOptionsProps) {
  const [kind, setKind] = useState(draft.kind)
  const isPrompt = taskType === 'prompt'
  return (
    <>
      {isPrompt && (
        <div class="field-columns">
          <ChoiceField
            name="kind"
            label="Kind of run"
            choices={kinds}
            value={kind}
            onChange={(value) => setKind(value === 'PLAN' ? 'PLAN' : 'SESSION')}
          />
          <CliField placeId={placeId} value={draft.cli} />
        </div>
      )}
      <details class="more-options">
        <summary>More options</summary>
        <div class="field-columns">
          {isPrompt && (
            <>
              <Field
                name="configuration.model"
                label="Model"
                hint="Empty: the model of the CLI."
                value={draft.model}
                isOptional
              />
              <Field
                name="configuration.mode"
                label="Mode of the CLI"
                hint="For example acceptEdits. Empty: the mode of the CLI."
                value={draft.mode}
                isOptional
              />
              <ChoiceField
                name="permissionPolicy"
                label="Permission requests"
                choices={policies}
                value={draft.permissionPolicy}
              />
            </>
          )}
          <NumberField
            name="timeoutMinutes"
            label="Time-out, minutes"
            hint="Empty: 240."
            value={draft.timeoutMinutes}
            min={1}
            max={10_080}
            hasDecimals
          />
          <NumberField
            name="configuration.worktreeConcurrencyLimit"
            label="Concurrency limit"
            hint="Maximum of runs of this kind at once on the worktree. 0: no limit. Empty: the default of the kind."
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
