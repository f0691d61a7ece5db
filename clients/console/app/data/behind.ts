/** The later pages of a list, and how they stay complete while the first page changes. */

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

export interface Connection<T> {
  /** Present only if the API counts them. */
  readonly totalCount?: number
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

export interface Behind<T> {
  /** The cursor after which it begins. */
  readonly after: string | null
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

/**
 * The maximum number of pages that are read to reach the loaded ones. If there are more, the list continues after the pages that were
 * read.
 */
export const mostPages = 5

/**
 * Reads the items between the first page and the loaded later pages.
 * @returns `behind` itself if nothing is missing, undefined if there are no later pages any more
 */
export async function readTo<T>(
  first: Connection<T>,
  behind: Behind<T>,
  idOf: (one: T) => string,
  pageAfter: (cursor: string | null) => Promise<Connection<T>>,
): Promise<Behind<T> | undefined> {
  if (!first.pageInfo.hasNextPage) return undefined
  const after = first.pageInfo.endCursor
  const known = new Set(behind.nodes.map(idOf))
  const meets = ({ nodes, pageInfo }: Connection<T>) => {
    const last = nodes.at(-1)
    return pageInfo.endCursor === behind.after || (last !== undefined && known.has(idOf(last)))
  }
  if (meets(first)) return behind
  const between: T[] = []
  let { pageInfo } = first
  for (let count = 0; count < mostPages && pageInfo.hasNextPage; count++) {
    const page = await pageAfter(pageInfo.endCursor)
    between.push(...page.nodes)
    if (meets(page)) return { after, nodes: [...between, ...behind.nodes], pageInfo: behind.pageInfo }
    pageInfo = page.pageInfo
  }
  return { after, nodes: between, pageInfo }
}
