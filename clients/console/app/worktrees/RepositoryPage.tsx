/** A repository: its copies on all machines with their worktrees, and the preparations of new worktrees. */

import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ObjectPage } from '../parts/ObjectPage.tsx'
import { CodebaseSection, type CodebaseSummary, codebaseFragment } from './CodebaseSection.tsx'
import { Preparations } from './Preparations.tsx'
import { getRepositoryName } from './repositoryName.ts'

const texts = messages.repositories

const repositoryQuery = graphql(
  `query ($id: ID!) { repository(id: $id) {
    id owner name canonicalUrl codebases(first: 50) { totalCount nodes { ...CodebaseFields } }
  } }`,
  [codebaseFragment],
)
const codebaseQuery = graphql(`query ($id: ID!) { codebase(id: $id) { ...CodebaseFields } }`, [codebaseFragment])

/** @param props `id` is that of a repository, or of a codebase without a remote */
export function RepositoryPage({ id }: { readonly id: string }) {
  return id.startsWith('cbs_') ? <CodebasePage id={id} /> : <RemoteRepositoryPage id={id} />
}

function RemoteRepositoryPage({ id }: { readonly id: string }) {
  const { data, error } = useQuery(repositoryQuery, { id })
  const repository = data?.repository
  const name = repository && `${repository.owner}/${repository.name}`
  return (
    <ObjectPage
      object={repository}
      error={error}
      title={[name, texts.kind]}
      notFoundMessage={format(texts.notFound, { id })}
      crumbs={<a href="/repositories">{texts.title}</a>}
      heading={name ?? id}
    >
      {(repository) => (
        <>
          <p class="lead">
            <a href={repository.canonicalUrl} rel="noreferrer" target="_blank">
              {repository.canonicalUrl}
            </a>
            <a href={`/runs?repository=${id}`}>{texts.allRuns}</a>
            <a href={`/actors/${id}`}>{messages.worktrees.statechart}</a>
          </p>
          <CodebaseSections codebases={repository.codebases.nodes} />
          {repository.codebases.totalCount > repository.codebases.nodes.length && (
            <p class="hint">
              {format(messages.parts.firstOf, {
                shown: repository.codebases.nodes.length,
                total: repository.codebases.totalCount,
              })}
            </p>
          )}
          <Preparations repositoryId={id} />
        </>
      )}
    </ObjectPage>
  )
}

function CodebasePage({ id }: { readonly id: string }) {
  const { data, error } = useQuery(codebaseQuery, { id })
  const codebase = data?.codebase
  const name = codebase && getRepositoryName(codebase)
  return (
    <ObjectPage
      object={codebase}
      error={error}
      title={[name, texts.kind]}
      notFoundMessage={format(texts.notFound, { id })}
      crumbs={<a href="/repositories">{texts.title}</a>}
      heading={name ?? id}
    >
      {(codebase) => (
        <>
          <CodebaseSections codebases={[codebase]} />
          {codebase.repositoryId === null ? (
            <section class="fleet-section" aria-labelledby="preparations">
              <h2 id="preparations">{texts.preparations.title}</h2>
              <p class="hint">{texts.preparations.noRemote}</p>
            </section>
          ) : (
            <Preparations repositoryId={codebase.repositoryId} />
          )}
        </>
      )}
    </ObjectPage>
  )
}

function CodebaseSections({ codebases }: { readonly codebases: readonly CodebaseSummary[] }) {
  if (codebases.length === 0) return <EmptyState title={texts.noWorktrees} />
  return codebases.map((codebase) => <CodebaseSection key={codebase.id} codebase={codebase} />)
}
