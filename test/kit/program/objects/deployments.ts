/** Creates and reads deployments as a script does. */
import { mutate } from '../runs.ts'
import type { Ask } from '../testProgram.ts'
import { patienceMs, until } from '../until.ts'

export interface DeploymentView {
  readonly id: string
  readonly displayNumber: number
  readonly status: string
  readonly stopping: boolean
  readonly artifactPath: string | null
  readonly sourceAgentId: string
  readonly targetAgentId: string
  readonly destination: { readonly kind: string; readonly id: string | null; readonly name: string }
  readonly jobId: string | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly exitCode: number | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly transfer: {
    readonly id: string
    readonly status: string
    readonly size: number
    readonly receivedBytes: number
  } | null
}

export const deploymentFields =
  'id displayNumber status stopping artifactPath sourceAgentId targetAgentId destination { kind id name } jobId problem { code message } exitCode startedAt endedAt transfer { id status size receivedBytes }'

const ended: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'LOST'])

export async function runBuild(ask: Ask, input: Readonly<Record<string, unknown>>): Promise<DeploymentView> {
  return (await mutate<{ deployment: DeploymentView }>(ask, 'runBuild', input, `deployment { ${deploymentFields} }`))
    .deployment
}

export async function lookAtDeployment(ask: Ask, id: string): Promise<DeploymentView> {
  const { deployment } = await ask<{ deployment: DeploymentView | null }>(
    `query ($id: ID!) { deployment(id: $id) { ${deploymentFields} } }`,
    { id },
  )
  if (deployment === null) throw new Error(`there is no deployment ${id}`)
  return deployment
}

/** Waits until the deployment has one of the statuses; fails at once if it has ended otherwise. */
export async function untilDeployment(
  ask: Ask,
  id: string,
  wanted: readonly string[],
  withinMs = patienceMs,
): Promise<DeploymentView> {
  const found = await until(
    `deployment ${id} to be ${wanted.join(' or ')}`,
    async () => {
      const deployment = await lookAtDeployment(ask, id)
      return wanted.includes(deployment.status) || ended.has(deployment.status) ? deployment : undefined
    },
    withinMs,
  )
  if (wanted.includes(found.status)) return found
  throw new Error(`deployment ${id} ended, but not as ${wanted.join(' or ')}: ${JSON.stringify(found)}`)
}

export async function readDeploymentLog(ask: Ask, deploymentId: string): Promise<string> {
  const { deploymentLog } = await ask<{ deploymentLog: { text: string } }>(
    'query ($deploymentId: ID!) { deploymentLog(deploymentId: $deploymentId, last: 1000) { text complete } }',
    { deploymentId },
  )
  return deploymentLog.text
}

export interface DestinationView {
  readonly kind: string
  readonly id: string | null
  readonly name: string
  readonly problem: string | null
  /** The artifacts of the build that can be deployed there. */
  readonly artifactIds: readonly string[]
}

export async function inspectDestinations(
  ask: Ask,
  buildId: string,
  agentId?: string,
): Promise<readonly DestinationView[]> {
  const { found } = await ask<{ found: { destinations: DestinationView[] } }>(
    `query ($buildId: ID!, $agentId: ID) { found: inspectBuildRunDestinations(buildId: $buildId, agentId: $agentId) {
      destinations { kind id name problem artifactIds } } }`,
    { buildId, agentId: agentId ?? null },
  )
  return found.destinations
}
