/** All skills, updated live. */

import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { formatNumber, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { clearLibraryFilters, LibraryFilters, useLibraryFilter } from '../library/LibraryFilters.tsx'
import { Scope } from '../library/Scope.tsx'
import { WorkflowTabs } from '../WorkTabs.tsx'
import { skillFragment } from './skill.ts'

const texts = messages.skills

const skillsQuery = graphql(
  `query ($after: String, $statuses: [SkillStatus!], $repositoryId: ID) {
    skills(first: 30, after: $after, statuses: $statuses, repositoryId: $repositoryId) {
      totalCount nodes { ...SkillFields } pageInfo { hasNextPage endCursor }
    }
  }`,
  [skillFragment],
)

export function SkillsPage() {
  useDocumentTitle([messages.work.tabs.skills])
  const { statuses, repositoryId, isFiltered } = useLibraryFilter()
  const list = usePagedList(skillsQuery, 'skills', { statuses, repositoryId }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('SKILL', list.refresh)
  return (
    <section>
      <div class="heading-row">
        <h1>{messages.work.tabs.skills}</h1>
        <a class="primary button-link" href="/skills/new">
          {texts.newSkill}
        </a>
      </div>
      <WorkflowTabs current="/skills" />
      <LibraryFilters />
      <ObjectList
        label={messages.work.tabs.skills}
        list={list}
        getId={({ id }) => id}
        isFiltered={isFiltered}
        onClearFilters={clearLibraryFilters}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/skills/new">{texts.newSkill}</a>
          </EmptyState>
        }
        columns={[
          {
            name: texts.name,
            render: ({ id, name, description }) => (
              <>
                <a class="item-name" href={`/skills/${id}`}>
                  {name}
                </a>
                <p class="hint">{description}</p>
              </>
            ),
          },
          { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
          {
            name: messages.work.scope.label,
            isWide: true,
            render: ({ repository }) => <Scope repository={repository} />,
          },
          {
            name: texts.files,
            isWide: true,
            render: ({ fileCount, size }) => `${formatNumber(fileCount)} · ${formatBytes(size)}`,
          },
          { name: messages.work.version, isWide: true, render: ({ version }) => version },
          {
            name: messages.work.updated,
            isWide: true,
            render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
          },
        ]}
      />
    </section>
  )
}
