/** The versions of a command or a skill, newest first. They are read page by page, and the content of each when the reader opens it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useAsyncData } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'

const texts = messages.work

export const authorFragment = graphql(`fragment AuthorFields on Requester {
  ... on User { name } ... on ApiKey { name } ... on Schedule { name } ... on Integration { name }
  ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
}`)

interface VersionEntry {
  readonly version: number
  readonly createdAt: string
  readonly author: ResultOf<typeof authorFragment> | null
}

export interface VersionPage {
  readonly totalCount: number
  readonly edges: readonly { readonly cursor: string; readonly node: VersionEntry }[]
}

interface VersionHistoryProps {
  /** Identifies the object and its newest version. */
  readonly id: string
  readPage(after: string | null): Promise<VersionPage | undefined>
  /** @param after the cursor of the newer version. Null for the newest one */
  renderContent(version: number, after: string | null): ComponentChildren
}

export function VersionHistory(props: VersionHistoryProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details class="disclosure" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{texts.versions}</summary>
      {isOpen && <Page {...props} after={null} earlierCount={0} />}
    </details>
  )
}

interface PageProps extends VersionHistoryProps {
  readonly after: string | null
  /** The number of versions on the pages before. */
  readonly earlierCount: number
}

function Page({ after, earlierCount, ...props }: PageProps) {
  const { data, error } = useAsyncData(`versions of ${props.id} after ${after}`, () => props.readPage(after))
  const [hasNext, setHasNext] = useState(false)
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return <Loading />
  const { edges, totalCount } = data
  const [shown, end] = [earlierCount + edges.length, edges.at(-1)?.cursor]
  const hasMore = end !== undefined && shown < totalCount
  return (
    <>
      {edges.map(({ node }, index) => (
        <Version
          key={node.version}
          entry={node}
          render={() => props.renderContent(node.version, edges[index - 1]?.cursor ?? after)}
        />
      ))}
      {hasMore && hasNext && <Page {...props} after={end} earlierCount={shown} />}
      {hasMore && !hasNext && (
        <ShowMore shown={shown} list={{ hasMore, totalCount, loadMore: () => setHasNext(true) }} />
      )}
    </>
  )
}

interface VersionProps {
  readonly entry: VersionEntry
  render(): ComponentChildren
}

function Version({ entry: { version, createdAt, author }, render }: VersionProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      onToggle={(event) => {
        event.stopPropagation()
        setIsOpen(event.currentTarget.open)
      }}
    >
      <summary>
        {format(texts.versionNumber, { number: version })}{' '}
        <span class="hint">
          {author && ('name' in author ? author.name : author.title)} <RelativeTime at={createdAt} />
        </span>
      </summary>
      {isOpen && render()}
    </details>
  )
}
