/** Creates a workflow, or edits its draft: as a form, or as YAML. */

import { useMemo, useRef, useState } from 'preact/hooks'
import { type ApiError, toApiError } from '../../data/apiError.ts'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useDataOnce } from '../../data/useDataOnce.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { TextAreaField } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate } from '../../router.ts'
import { publishMutation } from './publishWorkflow.ts'
import { WorkflowFields } from './WorkflowFields.tsx'
import {
  createWorkflowMutation,
  emptyWorkflow,
  toWorkflowInput,
  type WorkflowInput,
  workflowDefinitionFragment,
} from './workflowInput.ts'

const texts = messages.workflows

const draftQuery = graphql(
  'query ($id: ID!) { workflow(id: $id) { id status revision draft { ...WorkflowDefinitionFields } } }',
  [workflowDefinitionFragment],
)
const saveMutation = graphql(
  'mutation ($input: SaveWorkflowDraftInput!) { saveWorkflowDraft(input: $input) { workflow { id revision } } }',
)

/** A workflow that exists, as it was when it was read or saved. */
interface SavedWorkflow {
  readonly id: string
  readonly revision: number
}

export function NewWorkflowPage() {
  useDocumentTitle([texts.newWorkflow])
  return (
    <section>
      <p class="crumbs">
        <a href="/workflows">{messages.shell.views.workflows}</a>
      </p>
      <h1>{texts.newWorkflow}</h1>
      <WorkflowForm saved={undefined} initial={emptyWorkflow} />
    </section>
  )
}

export function EditWorkflowPage({ id }: { readonly id: string }) {
  const { data, error } = useDataOnce(`edit ${id}`, () => requestGraphql(draftQuery, { id }))
  const workflow = data?.workflow
  return (
    <ObjectPage
      object={workflow}
      error={error}
      title={[workflow?.draft.name, texts.edit]}
      notFoundMessage={format(texts.noSuchWorkflow, { id })}
      crumbs={
        <>
          <a href="/workflows">{messages.shell.views.workflows}</a>
          {workflow && <a href={`/workflows/${id}`}>{workflow.draft.name}</a>}
        </>
      }
      heading={texts.edit}
    >
      {(workflow) => <WorkflowForm saved={workflow} initial={toWorkflowInput(workflow.draft)} />}
    </ObjectPage>
  )
}

interface WorkflowFormProps {
  readonly saved: SavedWorkflow | undefined
  readonly initial: WorkflowInput
}

/** The definition is in the fields of the form, or in the YAML text. */
type Editing =
  | { readonly mode: 'form'; readonly initial: WorkflowInput }
  | { readonly mode: 'yaml'; readonly text: string }

function WorkflowForm({ saved, initial }: WorkflowFormProps) {
  const [editing, setEditing] = useState<Editing>({ mode: 'form', initial })
  const [switchError, setSwitchError] = useState<ApiError>()
  const form = useRef<HTMLFormElement>(null)
  const reader = useRef<(formData: FormData) => WorkflowInput>(undefined)
  const latest = useRef(saved)
  const isPublishing = useRef(false)
  const keys = useMemo(createRepeatKeys, [])
  const readInput = async (formData: FormData): Promise<WorkflowInput> => {
    if (editing.mode === 'form') return reader.current?.(formData) ?? editing.initial
    const { parseYaml } = await import('./workflowYaml.ts')
    return parseYaml(String(formData.get('yaml')))
  }
  const save = async (input: WorkflowInput): Promise<SavedWorkflow> => {
    if (latest.current === undefined) {
      const { createWorkflow } = await keys.send(input, (idempotencyKey) =>
        requestGraphql(createWorkflowMutation, { input: { ...input, idempotencyKey } }),
      )
      return createWorkflow.workflow
    }
    const { id: workflowId, revision: expectedRevision } = latest.current
    const { saveWorkflowDraft } = await requestGraphql(saveMutation, {
      input: { workflowId, ...input, expectedRevision },
    })
    return saveWorkflowDraft.workflow
  }
  const submission = useFormSubmission(
    async (formData) => {
      setSwitchError(undefined)
      const input = await readInput(formData)
      try {
        // If publishing fails, the next attempt saves the same workflow again.
        latest.current = await save(input)
        const { id: workflowId, revision: expectedRevision } = latest.current
        if (isPublishing.current) await requestGraphql(publishMutation, { input: { workflowId, expectedRevision } })
      } catch (cause) {
        if (editing.mode === 'form') throw cause
        const { locateError } = await import('./workflowYaml.ts')
        throw locateError(String(formData.get('yaml')), toApiError(cause))
      }
    },
    () => navigate(`/workflows/${latest.current?.id}`),
  )
  const switchTo = async (mode: Editing['mode']) => {
    if (form.current === null || mode === editing.mode) return
    setSwitchError(undefined)
    try {
      const input = await readInput(new FormData(form.current))
      const { toYaml } = await import('./workflowYaml.ts')
      setEditing(mode === 'form' ? { mode, initial: input } : { mode, text: toYaml(input) })
    } catch (cause) {
      setSwitchError(toApiError(cause))
    }
  }
  return (
    <form
      ref={form}
      class="workflow-form"
      onSubmit={(event) => {
        event.preventDefault()
        isPublishing.current = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'publish'
        submission.submit(event.currentTarget)
      }}
    >
      <fieldset class="segments">
        <legend>{texts.form.writtenAs}</legend>
        {(['form', 'yaml'] as const).map((mode) => (
          <label key={mode}>
            <input
              type="radio"
              checked={editing.mode === mode}
              // The other one is selected only if the definition can be read.
              onClick={(event) => {
                event.preventDefault()
                void switchTo(mode)
              }}
            />
            {texts.form.modes[mode]}
          </label>
        ))}
      </fieldset>
      <FormErrors submission={submission}>
        {editing.mode === 'form' ? (
          <WorkflowFields initial={editing.initial} onReader={(read) => (reader.current = read)} />
        ) : (
          <TextAreaField
            key={editing.text}
            name="yaml"
            label={texts.yaml.label}
            hint={texts.yaml.hint}
            value={editing.text}
            rows={24}
            isCode
          />
        )}
      </FormErrors>
      {switchError && <ErrorMessage error={switchError} />}
      <div class="buttons">
        <ActionButton type="submit" value="save" isBusy={submission.isWorking}>
          {texts.form.saveDraft}
        </ActionButton>
        <ActionButton type="submit" value="publish" look="primary" isBusy={submission.isWorking}>
          {texts.form.saveAndPublish}
        </ActionButton>
      </div>
    </form>
  )
}
