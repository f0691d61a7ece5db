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
  readonly jobLogChunkAdded: { readonly stream: string; readonly dataBase64: string }
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
  // What is stored comes first, then what is new; the stream ends with the log.
  const query = 'subscription ($jobId: ID!) { jobLogChunkAdded(jobId: $jobId) { stream dataBase64 } }'
  for await (const { data, errors } of client.iterate<Chunk>({ query, variables: { jobId } })) {
    if (errors) throw new Error(errors[0]?.message)
    const chunk = data?.jobLogChunkAdded
    if (chunk && chunk.stream !== 'END') process.stdout.write(Buffer.from(chunk.dataBase64, 'base64'))
  }
}
await client.dispose()
