/** The context, events and actions of a deployment. */
import type { DeploymentStatus, DestinationKind } from '../../../spec/builds/deployments/deploymentEnums.ts'
import { transferMs } from '../../../spec/builds/deployments/transferTime.ts'
import type { Json } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { News } from '../../../spec/devices/news.ts'
import type { JobOutcome, JobState, Problem } from '../../agents/jobActions.ts'
import { notify } from '../../devices/notify.ts'
import type { Outcome } from '../../framework/act.ts'
import type { Tell } from '../../framework/define.ts'
import type { WithIncidents } from '../../framework/incident.ts'
import type { Members } from '../../framework/members.ts'
import type { BuildServerUrls } from '../buildActions.ts'

export type DeploymentDestination = {
  readonly kind: DestinationKind
  /** The serial number or UDID of a device. For COMMAND the name in the build configuration. Null for HOST. */
  readonly id: string | null
  /** The name for people. */
  readonly name: string
  /** The command of COMMAND. */
  readonly command: string | null
}

export type DeploymentInit = {
  readonly buildId: string
  readonly buildName: string
  readonly buildNumber: number
  readonly commit: string | null
  readonly repositoryId: string
  readonly serverUrls: BuildServerUrls
  /** Environment variables of the build configuration. */
  readonly environment: readonly { readonly name: string; readonly value: string }[]
  readonly destination: DeploymentDestination
  /** The file that is deployed. Null if the destination needs none. */
  readonly artifact: {
    readonly id: string
    readonly path: string
    readonly name: string
    readonly size: number
    readonly sha256: string
  } | null
  /** The agent of the build. */
  readonly sourceAgentId: string
  /** The agent that deploys it. */
  readonly targetAgentId: string
  readonly timeoutSeconds: number
  /** The display number. */
  readonly number: number
  /** `principalName` of who asked for it. */
  readonly requestedBy: string
  readonly createdAt: number
}

export interface DeploymentContext extends WithIncidents {
  readonly init: DeploymentInit
  readonly members: Members
  readonly id: string
  readonly job: {
    /** Whether the job has reported that it exists, so that it can be stopped. */
    readonly ready: boolean
    /** The number of the last change of the job that was applied. */
    readonly step: number
  }
  /** Whether it was asked to stop. It has ended only when the agent confirms that nothing is left. */
  readonly stopping: boolean
  readonly times: { readonly started: number | null; readonly ended: number | null }
  readonly problem: Problem | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
}

export type DeploymentProgress = 'TRANSFERRING' | 'INSTALLING' | 'RUNNING'

export type DeploymentEvent =
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'jobChanged'; at: number; jobId: string; step: number; state: JobState }
  | { type: 'progressed'; at: number; phase: DeploymentProgress }
  | {
      type: 'jobEnded'
      at: number
      jobId: string
      outcome: JobOutcome
      problem: Problem | null
      exit: { code: number | null; signal: string | null } | null
    }
  /** The file will never be on the machine. */
  | { type: 'transferEnded'; at: number; problem: Problem }
  | { type: 'stop'; at: number; code?: string; message?: string }

const jobIdOf = ({ id }: Pick<DeploymentContext, 'id'>): string => siblingId('job', id)

export const toJob = (context: DeploymentContext, event: Tell['event']): Tell => ({
  to: { kind: 'job', id: jobIdOf(context) },
  event,
})

const toTransfer = ({ id }: DeploymentContext, event: Tell['event']): Tell => ({
  to: { kind: 'artifactTransfer', id: siblingId('artifactTransfer', id) },
  event,
})

/** Creates the transfer of the artifact, and the job, which contacts the agent by itself. */
export function begin(context: DeploymentContext): Outcome<DeploymentContext> {
  const { init, id } = context
  const { artifact, sourceAgentId, targetAgentId, createdAt, timeoutSeconds } = init
  const transfer = artifact && {
    ...{ deploymentId: id, artifactId: artifact.id, sourceAgentId, targetAgentId },
    ...{ name: artifact.name, size: artifact.size, sha256: artifact.sha256, createdAt },
  }
  return {
    tell: [
      ...(transfer === null ? [] : [{ ...toTransfer(context, { type: 'create' }), create: transfer }]),
      {
        ...toJob(context, { type: 'create' }),
        create: {
          kind: 'DEPLOY',
          agentId: targetAgentId,
          owner: { kind: 'deployment', id },
          queueId: null,
          worktreeId: null,
          topLevel: true,
          onLost: 'FAIL',
          timeoutSeconds: timeoutSeconds + (artifact === null ? 0 : transferMs / 1000),
          createdAt,
          spec: toSpec(context),
        },
      },
    ],
  }
}

/** The instructions for the agent: `DeploySpec` in `clients/agent/jobs/spec.ts`. */
function toSpec({ id, init }: DeploymentContext): Json {
  const { number, buildId, buildName, buildNumber, commit, destination, artifact, environment, serverUrls } = init
  return {
    ...{ deploymentId: id, number, buildId, buildName, buildNumber, commit, serverUrls },
    destination: { kind: destination.kind, id: destination.id, name: destination.name, command: destination.command },
    fileName: artifact?.name ?? null,
    env: Object.fromEntries(environment.map(({ name, value }) => [name, value])),
    timeoutSeconds: init.timeoutSeconds,
  }
}

/** The content of notifications about the deployment. */
export function newsOf({ init }: DeploymentContext): Omit<News, 'reason' | 'at'> {
  const { buildName, buildNumber, destination, targetAgentId } = init
  return { name: `${buildName} #${buildNumber} → ${destination.name}`, agentId: targetAgentId }
}

/** The first transition into a terminal state. */
export function finish(
  context: DeploymentContext,
  status: DeploymentStatus,
  at: number,
): Outcome<DeploymentContext> & { readonly tell: readonly Tell[] } {
  return {
    set: { times: { ...context.times, ended: at } },
    tell: context.init.artifact === null ? [] : [toTransfer(context, { type: 'close' })],
    effects: [notify({ ...newsOf(context), reason: 'DEPLOYMENT_ENDED', status, at })],
  }
}
