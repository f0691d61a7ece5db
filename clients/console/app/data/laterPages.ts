/** The later pages of a list, and how they stay complete while the first page changes. */

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

export interface ConnectionPage<T> {
  /** Present only if the API counts them. */
  readonly totalCount?: number
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

export interface LaterPages<T> {
  /** The cursor after which it begins. */
  readonly after: string | null
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

/**
 * The maximum number of pages that are read to reach the loaded ones. If there are more, the list continues after the pages that were
 * read.
 */
export const maxGapPages = 5

/** Reads the later pages again, at least as many items as there are. Their number may be one page greater. */
export async function rereadPages<T>(
  { after, nodes: known }: LaterPages<T>,
  readPageAfter: (cursor: string | null) => Promise<ConnectionPage<T>>,
): Promise<LaterPages<T>> {
  const nodes: T[] = []
  let pageInfo: PageInfo = { hasNextPage: true, endCursor: after }
  while (pageInfo.hasNextPage && nodes.length < known.length) {
    const page = await readPageAfter(pageInfo.endCursor)
    nodes.push(...page.nodes)
    pageInfo = page.pageInfo
  }
  return { after, nodes, pageInfo }
}

/**
 * Reads the items between the first page and the loaded later pages.
 * @returns `later` itself if nothing is missing, undefined if there are no later pages any more
 */
export async function readGap<T>(
  first: ConnectionPage<T>,
  later: LaterPages<T>,
  getId: (item: T) => string,
  readPageAfter: (cursor: string | null) => Promise<ConnectionPage<T>>,
): Promise<LaterPages<T> | undefined> {
  if (!first.pageInfo.hasNextPage) return undefined
  const after = first.pageInfo.endCursor
  const known = new Set(later.nodes.map(getId))
  const meetsLater = ({ nodes, pageInfo }: ConnectionPage<T>) => {
    const last = nodes.at(-1)
    return pageInfo.endCursor === later.after || (last !== undefined && known.has(getId(last)))
  }
  if (meetsLater(first)) return later
  const between: T[] = []
  let { pageInfo } = first
  for (let count = 0; count < maxGapPages && pageInfo.hasNextPage; count++) {
    const page = await readPageAfter(pageInfo.endCursor)
    between.push(...page.nodes)
    if (meetsLater(page)) return { after, nodes: [...between, ...later.nodes], pageInfo: later.pageInfo }
    pageInfo = page.pageInfo
  }
  return { after, nodes: between, pageInfo }
}
