/** Creates a build configuration, or changes one as a new version. */
import { useMemo, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useDataOnce } from '../../data/useDataOnce.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { Field, NumberField, TextAreaField } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate } from '../../router.ts'
import { RepositoryChoice } from '../../work/library/ScopeField.tsx'
import { NamedValueRows } from '../../work/workflows/NamedValueRows.tsx'
import { BuildStepRows } from './BuildStepRows.tsx'
import { CoverageReportRows } from './CoverageReportRows.tsx'
import { type Configuration, configurationFragment, createMutation, updateMutation } from './configuration.ts'
import { DestinationRows } from './DestinationRows.tsx'
import { OnPushFields } from './OnPushFields.tsx'
import { readConfigurationForm } from './readConfigurationForm.ts'
import { SigningFields } from './SigningFields.tsx'

const texts = messages.buildConfigurations
const longestTimeout = 86_400

const configurationQuery = graphql('query ($id: ID!) { buildConfiguration(id: $id) { ...BuildConfigurationFields } }', [
  configurationFragment,
])

export function NewConfigurationPage() {
  useDocumentTitle([texts.new])
  return (
    <section>
      <p class="crumbs">
        <a href="/build-configurations">{messages.builds.tabs.configurations}</a>
      </p>
      <h1>{texts.new}</h1>
      <ConfigurationForm configuration={undefined} />
    </section>
  )
}

export function EditConfigurationPage({ id }: { readonly id: string }) {
  const { data, error } = useDataOnce(`edit ${id}`, () => requestGraphql(configurationQuery, { id }))
  const configuration = data?.buildConfiguration
  return (
    <ObjectPage
      object={configuration}
      error={error}
      title={[configuration?.name, texts.edit]}
      notFoundMessage={format(texts.noSuchConfiguration, { id })}
      crumbs={
        <>
          <a href="/build-configurations">{messages.builds.tabs.configurations}</a>
          {configuration && <a href={`/build-configurations/${id}`}>{configuration.name}</a>}
        </>
      }
      heading={texts.edit}
    >
      {(configuration) => <ConfigurationForm configuration={configuration} />}
    </ObjectPage>
  )
}

function ConfigurationForm({ configuration }: { readonly configuration: Configuration | undefined }) {
  const keys = useMemo(createRepeatKeys, [])
  const [saved] = useState({ id: '' })
  const content = configuration?.content
  const save = async (formData: FormData) => {
    const input = readConfigurationForm(formData)
    if (configuration) {
      const { id: buildConfigurationId, revision: expectedRevision } = configuration
      await requestGraphql(updateMutation, { input: { buildConfigurationId, ...input, expectedRevision } })
      saved.id = buildConfigurationId
      return
    }
    const request = { ...input, repositoryId: String(formData.get('repositoryId') ?? '') }
    const { createBuildConfiguration } = await keys.send(request, (idempotencyKey) =>
      requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
    )
    saved.id = createBuildConfiguration.buildConfiguration.id
  }
  const submission = useFormSubmission(save, () => navigate(`/build-configurations/${saved.id}`))
  const requirements = content?.requirements
  return (
    <form
      class="workflow-form"
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <FormErrors submission={submission}>
        {configuration === undefined && <RepositoryChoice />}
        <Field name="name" label={texts.name} value={configuration?.name ?? ''} maxLength={100} />
        <Field
          name="description"
          label={texts.description}
          value={configuration?.description ?? ''}
          maxLength={1_000}
          isOptional
        />
        <BuildStepRows steps={content?.steps ?? [{ name: '', command: '' }]} />
        <NamedValueRows
          name="environment"
          legend={texts.environment}
          hint={texts.environmentHint}
          addLabel={texts.addVariable}
          values={content?.environment ?? []}
        />
        <TextAreaField
          name="artifacts"
          label={texts.artifacts}
          hint={texts.artifactsHint}
          value={content?.artifacts.join('\n') ?? ''}
          rows={3}
          isCode
          isOptional
        />
        <DestinationRows destinations={content?.destinations ?? []} />
        <SigningFields chosen={content?.signingAssetIds ?? []} isForRuns={content?.signingForRuns ?? false} />
        <CoverageReportRows reports={content?.coverageReports ?? []} />
        <OnPushFields onPush={content?.onPush ?? null} />
        <div class="field-columns">
          <Field
            name="requirements.platforms"
            label={texts.platforms}
            hint={texts.platformsHint}
            value={requirements?.platforms.join(', ') ?? ''}
            isOptional
          />
          <Field
            name="requirements.architectures"
            label={texts.architectures}
            hint={texts.architecturesHint}
            value={requirements?.architectures.join(', ') ?? ''}
            isOptional
          />
          <Field
            name="requirements.tools"
            label={texts.tools}
            hint={texts.toolsHint}
            value={requirements?.tools.join(', ') ?? ''}
            isOptional
          />
          <Field
            name="requirements.tags"
            label={texts.tags}
            hint={texts.tagsHint}
            value={requirements?.tags.join(', ') ?? ''}
            isOptional
          />
          <NumberField
            name="artifactRetentionDays"
            label={texts.retention}
            hint={texts.retentionHint}
            value={content?.artifactRetentionDays}
            min={1}
            max={3_650}
          />
          <NumberField
            name="timeoutSeconds"
            label={texts.timeout}
            hint={texts.timeoutHint}
            value={content?.timeoutSeconds}
            min={1}
            max={longestTimeout}
          />
        </div>
      </FormErrors>
      <div class="buttons">
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {configuration ? texts.save : texts.create}
        </ActionButton>
      </div>
    </form>
  )
}
