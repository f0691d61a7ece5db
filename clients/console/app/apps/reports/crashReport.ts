/** A crash report as its page shows it. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const reportQuery = graphql(`query ($id: ID!) {
  crashReport(id: $id) {
    id status reportId version build osName osVersion deviceModel happenedAt createdAt exceptionType exceptionReason
    frameCount namedFrameCount symbolicationId missingImageCount problem { message } app { id name } group { id title }
    rawReport { name size expiresAt }
  }
}`)

export type CrashReport = NonNullable<ResultOf<typeof reportQuery>['crashReport']>

/** Changes when the symbols of frames, or the missing images, may have changed. */
export function getSymbolState({ symbolicationId, missingImageCount }: CrashReport): string {
  return `${symbolicationId} ${missingImageCount}`
}
