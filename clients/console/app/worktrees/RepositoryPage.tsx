/** A repository: its copies on all machines with their worktrees, and the preparations of new worktrees. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../parts/messages/NotFound.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
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
  const isMissing = repository === null || isNotFound(error)
  useDocumentTitle(isMissing ? undefined : [name, texts.kind])
  if (isMissing) return <NotFound message={format(texts.notFound, { id })} />
  return (
    <section>
      <Heading name={name} id={id} />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {repository === undefined && !error && <Loading />}
      {repository && (
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
    </section>
  )
}

function CodebasePage({ id }: { readonly id: string }) {
  const { data, error } = useQuery(codebaseQuery, { id })
  const codebase = data?.codebase
  const name = codebase && getRepositoryName(codebase)
  const isMissing = codebase === null || isNotFound(error)
  useDocumentTitle(isMissing ? undefined : [name, texts.kind])
  if (isMissing) return <NotFound message={format(texts.notFound, { id })} />
  return (
    <section>
      <Heading name={name} id={id} />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {codebase === undefined && !error && <Loading />}
      {codebase && (
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
    </section>
  )
}

function Heading({ name, id }: { readonly name: string | null | undefined; readonly id: string }) {
  return (
    <>
      <p class="crumbs">
        <a href="/repositories">{texts.title}</a>
      </p>
      <h1>{name ?? id}</h1>
    </>
  )
}

function CodebaseSections({ codebases }: { readonly codebases: readonly CodebaseSummary[] }) {
  if (codebases.length === 0) return <EmptyState title={texts.noWorktrees} />
  return codebases.map((codebase) => <CodebaseSection key={codebase.id} codebase={codebase} />)
}
