/** A chunk of a job's output. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const chunksSubscription = graphql(
  `subscription ($jobId: ID!, $after: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $after) {
    sequence stream at dataBase64
  } }`,
)

export type LogChunk = ResultOf<typeof chunksSubscription>['jobLogChunkAdded']

export type OutputStream = Exclude<LogChunk['stream'], 'END'>

export function decodeChunk({ dataBase64 }: LogChunk): Uint8Array {
  const text = atob(dataBase64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
