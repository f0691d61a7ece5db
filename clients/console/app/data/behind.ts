/** What was read behind the first page of a list, and how it is kept whole while the first page changes. */

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

export interface Connection<T> {
  /** Only where the API counts them. */
  readonly totalCount?: number
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

export interface Behind<T> {
  /** The cursor that it begins after. */
  readonly after: string | null
  readonly nodes: readonly T[]
  readonly pageInfo: PageInfo
}

/** Pages that are read to meet what is known; where more has come, the list goes on behind what was read. */
export const mostPages = 5

/**
 * Reads what has come between the first page and what is known behind it.
 * @returns `behind` itself where nothing is missing, undefined where nothing is behind any more
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
