/** All commands, updated live. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { clearLibraryFilters, LibraryFilters, useLibraryFilter } from '../library/LibraryFilters.tsx'
import { Scope } from '../library/Scope.tsx'
import { WorkflowTabs } from '../WorkTabs.tsx'

const texts = messages.commands

const commandsQuery = graphql(`query ($after: String, $statuses: [CommandStatus!], $repositoryId: ID) {
  commands(first: 30, after: $after, statuses: $statuses, repositoryId: $repositoryId) {
    totalCount nodes { id name description kind status version updatedAt repository { id owner name } }
    pageInfo { hasNextPage endCursor }
  }
}`)

export function CommandsPage() {
  useDocumentTitle([messages.work.tabs.commands])
  const { statuses, repositoryId, isFiltered } = useLibraryFilter()
  const list = usePagedList(commandsQuery, 'commands', { statuses, repositoryId }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('COMMAND', list.refresh)
  return (
    <section>
      <div class="heading-row">
        <h1>{messages.work.tabs.commands}</h1>
        <a class="primary button-link" href="/commands/new">
          {texts.newCommand}
        </a>
      </div>
      <WorkflowTabs current="/commands" />
      <LibraryFilters />
      <ObjectList
        label={messages.work.tabs.commands}
        list={list}
        getId={({ id }) => id}
        isFiltered={isFiltered}
        onClearFilters={clearLibraryFilters}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/commands/new">{texts.newCommand}</a>
          </EmptyState>
        }
        columns={[
          {
            name: texts.name,
            render: ({ id, name, description }) => (
              <>
                <a class="item-name" href={`/commands/${id}`}>
                  {name}
                </a>
                {description !== '' && <p class="hint">{description}</p>}
              </>
            ),
          },
          { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
          { name: texts.kind, isWide: true, render: ({ kind }) => texts.kinds[kind] },
          {
            name: messages.work.scope.label,
            isWide: true,
            render: ({ repository }) => <Scope repository={repository} />,
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
