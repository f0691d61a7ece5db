/** A light, valid load in a process of its own: queries, an agent that writes a log, and a follower of that log. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { follow, graphql } from '../../kit/program/graphql.ts'
import { startRunningJob } from '../bench/support/runningJob.ts'

export interface Legitimate {
  /** Returns the answers since the last call. */
  report(): Promise<LoadReport>
  stop(): void
}

export interface LoadReport {
  readonly answers: number
  readonly p50: number
  readonly p99: number
  /** The number of log chunks that were stored, and that the follower received in order. */
  readonly stored: number
  readonly followed: number
  readonly failures: readonly string[]
}

export async function startLegitimate(url: string, agentUrl: string, key: string): Promise<Legitimate> {
  const child: ChildProcess = fork(import.meta.filename, [url, agentUrl, key], { execArgv: ['--no-warnings'] })
  const reports: ((report: LoadReport) => void)[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process of the valid load ended with ${code}`)))
    child.on('message', (message) => {
      if (message === 'ready') resolve()
      else reports.shift()?.(message as LoadReport)
    })
  })
  return {
    report: () =>
      new Promise((resolve) => {
        reports.push(resolve)
        child.send('report')
      }),
    stop: () => void child.kill(),
  }
}

const queryEveryMs = 50
const appendEveryMs = 250

async function load(url: string, agentUrl: string, key: string): Promise<void> {
  const job = await startRunningJob(url, agentUrl, key)
  let times: number[] = []
  let failures: string[] = []
  let stored = 0
  let followed = 0
  process.on('message', () => {
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
    process.send?.({
      answers: times.length,
      p50: at(0.5),
      p99: at(0.99),
      stored,
      followed,
      failures,
    } satisfies LoadReport)
    times = []
    failures = []
  })
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now()
    await work().then(
      () => times.push(performance.now() - began),
      (error: unknown) => failures.push(`${what}: ${String(error)}`),
    )
  }
  const query = '{ viewer { id } agents { id connectionStatus } runs(first: 20) { nodes { id status } } }'
  setInterval(() => void timed('query', () => graphql(url, { 'X-API-Key': key }, query)), queryEveryMs)
  const line = Buffer.from('a line of output\n').toString('base64')
  void (async () => {
    for (let sequence = 0; ; sequence++) {
      await timed('append', () => job.append(sequence, [line]))
      stored = sequence + 1
      await sleep(appendEveryMs)
    }
  })()
  const subscription =
    'subscription ($jobId: ID!, $after: Int) { jobLogChunkAdded(jobId: $jobId, afterSequence: $after) { sequence } }'
  void follow<{ jobLogChunkAdded: { sequence: number } }>(
    url,
    key,
    subscription,
    () => ({ jobId: job.jobId, after: followed - 1 }),
    ({ jobLogChunkAdded: { sequence } }) => {
      if (sequence !== followed) failures.push(`chunk ${sequence} was received instead of ${followed}`)
      followed = sequence + 1
    },
    new AbortController().signal,
  ).catch((error: unknown) => failures.push(`the follower: ${String(error)}`))
  process.send?.('ready')
}

const [, entry, url, agentUrl, key] = process.argv
if (entry === import.meta.filename && url !== undefined && agentUrl !== undefined && key !== undefined) {
  process.on('disconnect', () => process.exit(0))
  await load(url, agentUrl, key)
}
