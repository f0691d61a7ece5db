/**
 * One log, many subscribers: deliveries a second, and the server's processor time for each. The log belongs to a running job; its
 * agent appends to it and PostgreSQL stores it. For comparison, without storage: graphql-ws's own server on `ws`, and raw
 * uWebSockets.js sends.
 * node --max-semi-space-size=64 test/longRuns/bench/logs.ts [--subscribers 1000] [--chunks 4096] [--batch 16] [--bytes 1024]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { firstKey } from '../../kit/program/graphql.ts'
import { startMeasured } from '../../kit/program/measuring/measuredProgram.ts'
import { freePorts } from '../../kit/program/ports.ts'
import { type Baseline, startBaseline } from './support/logBaselines.ts'
import { printMachine, printTable } from './support/report.ts'
import { startRunningJob } from './support/runningJob.ts'
import { startSubscribers } from './support/subscribers.ts'

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '1000' },
    chunks: { type: 'string', default: '4096' },
    batch: { type: 'string', default: '16' },
    bytes: { type: 'string', default: '1024' },
    clients: { type: 'string', default: '2' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
})
const sockets = Number(values.subscribers)
const chunks = Number(values.chunks)
const batch = Number(values.batch)
const dataBase64 = Buffer.alloc(Number(values.bytes), 'signalbox ').toString('base64')
/** The most chunks in transit to the slowest process of subscribers: far fewer than a socket's queue can hold. */
const window = Math.max(batch, 256)

interface Measure {
  readonly server: string
  readonly perSecond: number
  readonly micros: number
}

interface Served {
  append(first: number, chunks: readonly string[]): Promise<void>
  cpuMicros(): Promise<number>
  received(): number
}

async function deliver(server: string, count: number, from: number, served: Served): Promise<Measure> {
  const began = performance.now()
  const before = await served.cpuMicros()
  const start = served.received()
  for (let sent = 0; sent < count; sent += batch) {
    await served.append(from + sent, Array<string>(batch).fill(dataBase64))
    while ((sent + batch - window) * sockets > served.received() - start) await sleep(1)
  }
  const deadline = performance.now() + 60_000
  while (served.received() - start < count * sockets) {
    if (performance.now() > deadline)
      throw new Error(`${server}: ${served.received() - start} of ${count * sockets} deliveries were received`)
    await sleep(1)
  }
  const deliveries = count * sockets
  const micros = ((await served.cpuMicros()) - before) / deliveries
  return { server, perSecond: deliveries / ((performance.now() - began) / 1_000), micros }
}

/** The first part is not counted, so that code is compiled and buffers have grown. */
async function measured(server: string, served: Served): Promise<Measure> {
  const warmup = Math.ceil(chunks / 4 / batch) * batch
  await deliver(server, warmup, 0, served)
  return await deliver(server, chunks, warmup, served)
}

const document = 'subscription L($jobId: ID!) { jobLogChunkAdded(jobId: $jobId) { sequence stream dataBase64 at } }'
const subscribing = (jobId: string) => ({
  type: 'subscribe',
  id: 's',
  payload: { query: document, variables: { jobId } },
})

async function ofSignalbox(): Promise<Measure> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  const execArgv = [
    '--max-semi-space-size=64',
    ...(values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile]),
  ]
  const program = await startMeasured({ dataDir, ports: await freePorts(), execArgv })
  try {
    const key = await firstKey(program.url)
    const job = await startRunningJob(program.url, `ws://127.0.0.1:${program.agentPort}/graphql`, key)
    const init = { type: 'connection_init', payload: { 'X-API-Key': key } }
    const protocol = { init, subscribe: subscribing(job.jobId) }
    const options = { port: program.port, path: '/graphql', sockets, protocol }
    const subscribers = await startSubscribers(options, Number(values.clients))
    // The acknowledgment arrived. The start of the subscription itself is not confirmed.
    await sleep(500)
    const cpuMicros = async () => (await program.measure()).cpuMicros
    const result = await measured('Signalbox, stored in PostgreSQL', {
      append: job.append,
      cpuMicros,
      received: subscribers.received,
    })
    job.close()
    subscribers.stop()
    return result
  } finally {
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function ofBaseline(baseline: Baseline): Promise<Measure> {
  const server = await startBaseline(baseline)
  const plain = baseline === 'raw uWebSockets.js'
  const options = {
    port: server.port,
    path: '/graphql',
    sockets,
    protocol: plain ? null : { init: { type: 'connection_init' }, subscribe: subscribing('job_01') },
  }
  const subscribers = await startSubscribers(options, Number(values.clients))
  await sleep(500)
  try {
    return await measured(baseline, { ...server, received: subscribers.received })
  } finally {
    subscribers.stop()
    server.stop()
  }
}

printMachine()
console.log(
  `${sockets} subscribers in ${values.clients} processes, ${chunks} chunks of ${values.bytes} bytes, ${batch} in an append`,
)
const results: Measure[] = []
if (values.only === undefined) {
  results.push(await ofBaseline('graphql-ws on ws'))
  results.push(await ofBaseline('raw uWebSockets.js'))
}
results.push(await ofSignalbox())
const [reference] = results
printTable(
  results.map(({ server, perSecond, micros }) => ({
    server,
    'deliveries a second': perSecond,
    'µs CPU a delivery': micros,
    'times graphql-ws (CPU)': (reference?.micros ?? Number.NaN) / micros,
    'times graphql-ws (rate)': perSecond / (reference?.perSecond ?? Number.NaN),
  })),
)
process.exit(0)
