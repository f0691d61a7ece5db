/** One skill: its instructions, its files and its versions, the machines that have it, and what is done with it. */

import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { ObjectPage } from '../../parts/ObjectPage.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { ArchiveButton } from '../library/ArchiveButton.tsx'
import { Scope } from '../library/Scope.tsx'
import { authorFragment, VersionHistory } from '../library/VersionHistory.tsx'
import { SkillFiles } from './SkillFiles.tsx'
import { SkillMachines } from './SkillMachines.tsx'
import { archiveMutation, type Skill, skillFragment, unarchiveMutation } from './skill.ts'

const texts = messages.skills

const skillQuery = graphql('query ($id: ID!) { skill(id: $id) { ...SkillFields } }', [skillFragment])
const versionsQuery = graphql(
  `query ($id: ID!, $after: String) { skill(id: $id) { versions(first: 20, after: $after) {
    totalCount edges { cursor node { version createdAt author { ...AuthorFields } } }
  } } }`,
  [authorFragment],
)

export function SkillPage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(skillQuery, { id })
  return (
    <ObjectPage
      object={data?.skill}
      error={error}
      title={[data?.skill?.name, messages.work.tabs.skills]}
      notFoundMessage={format(texts.noSuchSkill, { id })}
      crumbs={<a href="/skills">{messages.work.tabs.skills}</a>}
    >
      {(skill) => <SkillView skill={skill} refresh={refresh} />}
    </ObjectPage>
  )
}

interface SkillViewProps {
  readonly skill: Skill
  refresh(): void
}

function SkillView({ skill, refresh }: SkillViewProps) {
  const { id, name, description, status, version, repository, size, updatedAt } = skill
  useOnActorTransition(id, refresh)
  return (
    <>
      <div class="heading-row">
        <h1>{name}</h1>
        {status === 'ACTIVE' && (
          <a class="primary button-link" href={`/skills/${id}/edit`}>
            {texts.edit}
          </a>
        )}
      </div>
      <p class="lead">
        <StatusBadge status={status} />
        <Scope repository={repository} />
        <span>{format(messages.work.versionNumber, { number: version })}</span>
        <span>{formatBytes(size)}</span>
        <span>
          {messages.work.updated} <RelativeTime at={updatedAt} />
        </span>
        <a href={`/actors/${id}`}>{messages.work.lifecycle}</a>
      </p>
      <p>{description}</p>
      <div class="run-actions">
        <ArchiveButton
          name={name}
          isArchived={status === 'ARCHIVED'}
          texts={texts}
          onArchive={() => requestGraphql(archiveMutation, { id })}
          onUnarchive={() => requestGraphql(unarchiveMutation, { id })}
        />
      </div>
      <h2>{texts.instructions}</h2>
      <SkillFiles skillId={id} version={version} />
      <VersionHistory
        key={version}
        id={`${id} ${version}`}
        readPage={async (after) => (await requestGraphql(versionsQuery, { id, after })).skill?.versions}
        renderContent={(number) => (
          <div class="version-content">
            <SkillFiles skillId={id} version={number} />
          </div>
        )}
      />
      <SkillMachines skillId={id} />
    </>
  )
}
