/** Follows the log of a run to its end: `SIGNALBOX_KEY=svc_… npx node docs/examples/log.ts http://localhost:3000 run_…` */
import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'

const [url = 'http://localhost:3000', runId = ''] = process.argv.slice(2)

const client = createClient({
  url: `${url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { 'X-API-Key': process.env.SIGNALBOX_KEY },
})

interface RunStatus {
  readonly runStatusChanged: { readonly status: string; readonly jobId: string | null }
}

interface Chunk {
  readonly jobLogChunkAdded: { readonly sequence: number; readonly stream: string; readonly dataBase64: string }
}

/** A run has a job from its admission on. */
async function jobOf(client: Client): Promise<string | undefined> {
  const query = 'subscription ($runId: ID!) { runStatusChanged(runId: $runId) { status jobId } }'
  for await (const { data, errors } of client.iterate<RunStatus>({ query, variables: { runId } })) {
    if (errors) throw new Error(errors[0]?.message)
    const run = data?.runStatusChanged
    if (run?.jobId) return run.jobId
    if (run && ['CANCELED', 'FAILED', 'SKIPPED'].includes(run.status)) return undefined
  }
  return undefined
}

const jobId = await jobOf(client)
if (jobId !== undefined) {
  // The stored output comes first, then new output. The stream completes with the log.
  const query = `subscription ($jobId: ID!, $afterSequence: Int) {
    jobLogChunkAdded(jobId: $jobId, afterSequence: $afterSequence) { sequence stream dataBase64 }
  }`
  // After a lost connection the client subscribes again with the variables as they are then: after the last chunk.
  const variables: { jobId: string; afterSequence?: number } = { jobId }
  for await (const { data, errors } of client.iterate<Chunk>({ query, variables })) {
    if (errors) throw new Error(errors[0]?.message)
    const chunk = data?.jobLogChunkAdded
    if (chunk === undefined) continue
    variables.afterSequence = chunk.sequence
    if (chunk.stream !== 'END') process.stdout.write(Buffer.from(chunk.dataBase64, 'base64'))
  }
}
await client.dispose()
