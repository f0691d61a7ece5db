/** Creates a command, or changes one as a new version. */

import { useMemo, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useDataOnce } from '../../data/useDataOnce.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { Field, TextAreaField } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate } from '../../router.ts'
import { readScope, ScopeField } from '../library/ScopeField.tsx'
import { ArgumentRows } from '../workflows/ArgumentRows.tsx'
import { readArgumentRows } from '../workflows/readWorkflowForm.ts'
import { type Command, type CommandInput, commandFragment, createMutation, updateMutation } from './command.ts'

const texts = messages.commands

const commandQuery = graphql('query ($id: ID!) { command(id: $id) { ...CommandFields } }', [commandFragment])

export function NewCommandPage() {
  useDocumentTitle([texts.newCommand])
  return (
    <section>
      <p class="crumbs">
        <a href="/commands">{messages.work.tabs.commands}</a>
      </p>
      <h1>{texts.newCommand}</h1>
      <CommandForm command={undefined} />
    </section>
  )
}

export function EditCommandPage({ id }: { readonly id: string }) {
  const { data, error } = useDataOnce(`edit ${id}`, () => requestGraphql(commandQuery, { id }))
  const command = data?.command
  return (
    <ObjectPage
      object={command}
      error={error}
      title={[command?.name, texts.edit]}
      notFoundMessage={format(texts.noSuchCommand, { id })}
      crumbs={
        <>
          <a href="/commands">{messages.work.tabs.commands}</a>
          {command && <a href={`/commands/${id}`}>{command.name}</a>}
        </>
      }
      heading={texts.edit}
    >
      {(command) => <CommandForm command={command} />}
    </ObjectPage>
  )
}

function CommandForm({ command }: { readonly command: Command | undefined }) {
  const keys = useMemo(createRepeatKeys, [])
  const [kind, setKind] = useState<Command['kind']>(command?.kind ?? 'PROMPT')
  const [saved] = useState({ id: '' })
  const save = async (formData: FormData) => {
    const content = readContent(formData, kind)
    if (command) {
      const { id: commandId, revision: expectedRevision } = command
      await requestGraphql(updateMutation, { input: { commandId, ...content, expectedRevision } })
      saved.id = commandId
      return
    }
    const request = { ...content, repositoryId: readScope(formData) }
    const { createCommand } = await keys.send(request, (idempotencyKey) =>
      requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
    )
    saved.id = createCommand.command.id
  }
  const submission = useFormSubmission(save, () => navigate(`/commands/${saved.id}`))
  const template = command?.kind === kind ? command.template : ''
  return (
    <form
      class="workflow-form"
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <FormErrors submission={submission}>
        <Field name="name" label={texts.name} hint={texts.nameHint} value={command?.name ?? ''} maxLength={64} />
        <Field
          name="description"
          label={texts.description}
          value={command?.description ?? ''}
          maxLength={1_000}
          isOptional
        />
        {command === undefined && <ScopeField />}
        <fieldset class="segments">
          <legend>{texts.kind}</legend>
          {(['PROMPT', 'SHELL'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="kind"
                value={choice}
                checked={kind === choice}
                onChange={() => setKind(choice)}
              />
              {texts.kinds[choice]}
            </label>
          ))}
        </fieldset>
        {kind === 'PROMPT' ? (
          <TextAreaField
            key="prompt"
            name="body.prompt"
            label={texts.template}
            hint={format(texts.promptHint, { placeholder: '{{name}}' })}
            value={template}
            rows={10}
          />
        ) : (
          <TextAreaField
            key="shell"
            name="body.shell"
            label={texts.template}
            hint={format(texts.shellHint, { variable: '"$ARG_NAME"' })}
            value={template}
            rows={10}
            isCode
          />
        )}
        <ArgumentRows
          values={command?.arguments ?? []}
          group="arguments"
          legend={texts.arguments}
          hint={texts.argumentsHint}
          addLabel={texts.addArgument}
        />
      </FormErrors>
      <div class="buttons">
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {command ? texts.save : texts.create}
        </ActionButton>
      </div>
    </form>
  )
}

function readContent(formData: FormData, kind: Command['kind']): CommandInput {
  // Browsers send line ends as CR LF.
  const read = (name: string) => String(formData.get(name) ?? '').replaceAll('\r\n', '\n')
  return {
    name: read('name').trim(),
    description: read('description').trim(),
    body: kind === 'PROMPT' ? { prompt: read('body.prompt') } : { shell: read('body.shell') },
    arguments: [...readArgumentRows(formData, 'arguments')],
  }
}
