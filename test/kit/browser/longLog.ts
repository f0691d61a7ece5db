/** A run whose command has printed very much. */
import { type BareAgent, reportWorktree, startBareAgent } from '../program/bareAgent.ts'
import { startRun, untilRun } from '../program/runs.ts'
import type { TestProgram } from '../program/testProgram.ts'

export interface LongLog {
  readonly runId: string
  /** Prints so many more lines, each with its number from 1. */
  print(lines: number): Promise<void>
}

/** Bytes of a chunk; three of them fit in a message of an agent. */
const chunkBytes = 190_000

/** Three times as often as an agent sends heartbeats, ms. */
const heartbeatMs = 5_000

export async function startLongLog(stage: TestProgram, branch: string): Promise<LongLog> {
  const agent: BareAgent = await startBareAgent(stage, `prints-${branch}`)
  const worktrees = await reportWorktree(stage, agent, '/srv/prints', [branch])
  const { id: runId } = await startRun(stage.ask, { worktreeId: worktrees[branch], title: 'Noisy', command: 'true' })
  const job = { jobId: runId.replace('run_', 'job_'), attempt: 1 }
  await agent.offers.first('the offer', ({ jobId, signal }) => jobId === job.jobId && signal === 'OFFER')
  await agent.say('acceptJob', job, 'runToken')
  await untilRun(stage.ask, runId, ['STARTING', 'RUNNING'])
  // Printing, and what a test does afterwards, may take longer than the job's lease, so heartbeats name the job.
  const heartbeats = setInterval(() => {
    const beat = agent.say('agentHeartbeat', { load: 0, freeMemoryBytes: 0, jobs: [job] }, 'serverTime')
    beat.catch(() => clearInterval(heartbeats))
  }, heartbeatMs).unref()
  let printed = 0
  let sequence = 0
  const send = async (chunks: readonly string[]) => {
    const told = chunks.map((dataBase64) => ({ sequence: sequence++, stream: 'STDOUT', dataBase64 }))
    await agent.say('appendJobLog', { ...job, chunks: told }, 'nextSequence')
  }
  return {
    runId,
    async print(lines) {
      let chunks: string[] = []
      let text = ''
      for (const end = printed + lines; printed < end; ) {
        text += lineOf(++printed)
        if (text.length < chunkBytes && printed < end) continue
        chunks.push(Buffer.from(text).toString('base64'))
        text = ''
        if (chunks.length < 3 && printed < end) continue
        await send(chunks)
        chunks = []
      }
    },
  }
}

/** Lines like those of compilers: some have colors, and all differ in length. */
function lineOf(number: number): string {
  const file = `src/module${number % 977}/part${number % 31}.ts`
  const coloured = number % 10 === 0 ? `\u001b[33mwarning\u001b[0m ${file}: unused` : `compiled ${file}`
  return `${coloured} (${number})\n`
}
