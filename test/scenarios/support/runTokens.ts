/** Runs with their own tokens on a bare agent: as its program has them once it has accepted a job. */
import type { Credentials } from '../../gateway/mcp/support/rpc.ts'
import type { BareAgent } from './bareAgent.ts'
import { startRun, untilRun } from './runs.ts'
import type { Stage } from './stage.ts'

export interface BegunRun {
  readonly runId: string
  readonly token: Credentials
}

const jobOf = (runId: string): string => runId.replace('run_', 'job_')

export async function beginRun(
  { ask }: Stage,
  agent: BareAgent,
  worktreeId: string | undefined,
  mcpPresetIds: readonly string[],
): Promise<BegunRun> {
  const { id: runId } = await startRun(ask, { worktreeId, command: 'true', mcpPresetIds })
  const jobId = jobOf(runId)
  const offer = await agent.offers.first('the offer', (one) => one.signal === 'OFFER' && one.jobId === jobId)
  const accepted = { jobId, attempt: offer.attempt }
  const { runToken } = await agent.say<{ runToken: string }>('acceptJob', accepted, 'runToken')
  return { runId, token: { authorization: `Bearer ${runToken}` } }
}

/** Of no log at all. */
const logSha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export async function endRun({ ask }: Stage, agent: BareAgent, runId: string): Promise<void> {
  const report = { outcome: 'SUCCEEDED', exitCode: 0, processesLeft: 0, logChunks: 0, logSha256 }
  await agent.say('completeJob', { jobId: jobOf(runId), attempt: 1, ...report })
  await untilRun(ask, runId, ['SUCCEEDED'])
}
