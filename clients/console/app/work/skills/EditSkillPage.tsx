/** Creates a skill, or changes one as a new version. */

import { useMemo, useState } from 'preact/hooks'
import { skillNameMax } from '../../../../../spec/work/skills/skillLimits.ts'
import { skillManifest } from '../../../../../spec/work/skills/skillPath.ts'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useDataOnce } from '../../data/useDataOnce.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { Field } from '../../parts/forms/Field.tsx'
import { FormErrors, useFormSubmission } from '../../parts/forms/FormErrors.tsx'
import { createRepeatKeys } from '../../parts/forms/repeatKeys.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { navigate } from '../../router.ts'
import { useLocalStore } from '../../state/useLocalStore.ts'
import { readScope, ScopeField } from '../library/ScopeField.tsx'
import { createRowsStore } from '../workflows/rowsStore.ts'
import { FileFields } from './FileFields.tsx'
import { emptyManifest } from './manifest.ts'
import { type EditedFile, readSkillForm } from './readSkillForm.ts'
import { contentQuery, createMutation, updateMutation } from './skill.ts'

const texts = messages.skills

const skillQuery = graphql('query ($id: ID!) { skill(id: $id) { id name version revision } }')

export function NewSkillPage() {
  useDocumentTitle([texts.newSkill])
  return (
    <section>
      <p class="crumbs">
        <a href="/skills">{messages.work.tabs.skills}</a>
      </p>
      <h1>{texts.newSkill}</h1>
      <SkillForm skill={undefined} />
    </section>
  )
}

export function EditSkillPage({ id }: { readonly id: string }) {
  const { data: skill, error } = useDataOnce(`edit ${id}`, () => readSkill(id))
  return (
    <ObjectPage
      object={skill}
      error={error}
      title={[skill?.name, texts.edit]}
      notFoundMessage={format(texts.noSuchSkill, { id })}
      crumbs={
        <>
          <a href="/skills">{messages.work.tabs.skills}</a>
          {skill && <a href={`/skills/${id}`}>{skill.name}</a>}
        </>
      }
      heading={texts.edit}
    >
      {(skill) => <SkillForm skill={skill} />}
    </ObjectPage>
  )
}

interface SavedSkill {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly files: readonly EditedFile[]
}

/** Null if there is no such skill. The files are those of the revision, also if the skill changes in between. */
async function readSkill(id: string): Promise<SavedSkill | null> {
  const { skill } = await requestGraphql(skillQuery, { id })
  if (skill === null) return null
  const { skillVersion } = await requestGraphql(contentQuery, { id, version: skill.version })
  const files = skillVersion?.files ?? []
  // The instructions are the first file of the form.
  return { ...skill, files: files.toSorted((a, b) => Number(isManifest(b)) - Number(isManifest(a))) }
}

const isManifest = ({ path }: EditedFile) => path === skillManifest

const newFiles: readonly EditedFile[] = [
  { path: skillManifest, text: emptyManifest, base64: null, size: 0, executable: false },
]

function SkillForm({ skill }: { readonly skill: SavedSkill | undefined }) {
  const keys = useMemo(createRepeatKeys, [])
  const [{ rows }, store] = useLocalStore(() => createRowsStore<EditedFile>(skill?.files ?? newFiles))
  const [saved] = useState({ id: '' })
  const save = async (formData: FormData) => {
    const content = readSkillForm(formData, rows, skill?.name ?? '')
    if (skill) {
      const { id: skillId, revision: expectedRevision } = skill
      await requestGraphql(updateMutation, { input: { skillId, ...content, expectedRevision } })
      saved.id = skillId
      return
    }
    const request = { ...content, repositoryId: readScope(formData) }
    const { createSkill } = await keys.send(request, (idempotencyKey) =>
      requestGraphql(createMutation, { input: { ...request, idempotencyKey } }),
    )
    saved.id = createSkill.skill.id
  }
  const submission = useFormSubmission(save, () => navigate(`/skills/${saved.id}`))
  return (
    <form
      class="workflow-form"
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit(event.currentTarget)
      }}
    >
      <FormErrors submission={submission}>
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={skill?.name ?? ''}
          maxLength={skillNameMax}
        />
        {skill === undefined && <ScopeField />}
        <FileFields rows={rows} store={store} />
      </FormErrors>
      <div class="buttons">
        <ActionButton type="submit" look="primary" isBusy={submission.isWorking}>
          {skill ? texts.save : texts.create}
        </ActionButton>
      </div>
    </form>
  )
}
