/** The threads of a crash report and their frames, read page by page: a report has up to 1,000 threads of up to 1,000 frames. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const frameFragment = graphql(`fragment FrameFields on CrashFrame {
  imageUuid imageName isSystem address symbol rawSymbol offset file line column isInlined
}`)

export type CrashFrame = ResultOf<typeof frameFragment>

/** A report without threads has lost them. */
export const crashedThreadQuery = graphql(`query ($id: ID!) {
  crashReport(id: $id) { crashedThread { number name crashed frameCount } threads(first: 1) { totalCount } }
}`)

export const crashedFramesQuery = graphql(
  `query ($after: String, $id: ID!) {
  crashReport(id: $id) { crashedThread { frames(first: 100, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ...FrameFields } }
  } } }
}`,
  [frameFragment],
)

/** Each with its innermost frame, for its line in the list. */
export const threadsQuery = graphql(
  `query ($after: String, $id: ID!) {
  crashReport(id: $id) { threads(first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    edges { cursor node { number name crashed frameCount frames(first: 1) { nodes { ...FrameFields } } } }
  } }
}`,
  [frameFragment],
)

/** The frames of one thread. A thread is found by the cursor of the one before. */
export const threadFramesQuery = graphql(
  `query ($after: String, $id: ID!, $previousThread: String) {
  crashReport(id: $id) { threads(first: 1, after: $previousThread) { nodes { frames(first: 100, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ...FrameFields } }
  } } } }
}`,
  [frameFragment],
)

interface FrameConnection {
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly edges: readonly { readonly cursor: string; readonly node: CrashFrame }[]
}

/** A frame with its cursor, which identifies it in its thread. */
export interface FrameItem extends CrashFrame {
  readonly cursor: string
}

/** A connection of frames as a page of a list. */
export function toFramePage(connection: FrameConnection | undefined) {
  if (connection === undefined) return undefined
  const { edges, ...page } = connection
  return { ...page, nodes: edges.map(({ cursor, node }): FrameItem => ({ ...node, cursor })) }
}
