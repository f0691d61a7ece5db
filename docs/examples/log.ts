/** Follows the log of a run to its end: `SIGNALBOX_KEY=svc_… npx node docs/examples/log.ts http://localhost:3000 run_…` */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

const [url = 'http://localhost:3000', runId = ''] = process.argv.slice(2)

const client = createClient({
  url: `${url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { 'X-API-Key': process.env.SIGNALBOX_KEY },
})

interface RunStatus {
  readonly runStatusChanged: { readonly kind: string; readonly jobId: string | null }
}

interface Chunk {
  readonly jobLogChunkAdded: { readonly sequence: number; readonly stream: string; readonly dataBase64: string }
}

interface EndedWithError {
  readonly message: string
  readonly extensions?: { readonly retryable?: boolean; readonly retryAfterMs?: number }
}

/**
 * After a lost connection the client subscribes again with the variables as they are then. If the server ends a subscription with an error,
 * for example UNAVAILABLE, the client throws its errors as an array, and this function subscribes again if that may help.
 */
async function* follow<T>(query: string, variables: Record<string, unknown>): AsyncGenerator<T> {
  for (;;) {
    try {
      for await (const { data } of client.iterate<T>({ query, variables })) if (data) yield data
      return
    } catch (cause) {
      const [error]: readonly EndedWithError[] = Array.isArray(cause) ? cause : []
      if (error === undefined) throw cause
      if (!error.extensions?.retryable) throw new Error(error.message)
      await sleep(error.extensions.retryAfterMs ?? 1_000)
    }
  }
}

/** A run of a plan or a session has a job from its admission on. The subscription completes with the run. */
async function findJob(): Promise<string> {
  const query = 'subscription ($runId: ID!) { runStatusChanged(runId: $runId) { kind jobId } }'
  for await (const { runStatusChanged: run } of follow<RunStatus>(query, { runId })) {
    if (run.kind === 'WORKFLOW') throw new Error('The run of a workflow has no job. Each of its COMMAND steps has one.')
    if (run.jobId) return run.jobId
  }
  throw new Error('The run ended without a job.')
}

// The stored output comes first, then new output. The stream completes with the log.
const query = `subscription ($jobId: ID!, $afterSequence: Int) {
  jobLogChunkAdded(jobId: $jobId, afterSequence: $afterSequence) { sequence stream dataBase64 }
}`
try {
  const variables: { jobId: string; afterSequence?: number } = { jobId: await findJob() }
  for await (const { jobLogChunkAdded: chunk } of follow<Chunk>(query, variables)) {
    // A later subscription begins after this chunk.
    variables.afterSequence = chunk.sequence
    if (chunk.stream !== 'END') process.stdout.write(Buffer.from(chunk.dataBase64, 'base64'))
  }
} finally {
  await client.dispose()
}
