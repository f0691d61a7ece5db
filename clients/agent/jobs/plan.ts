import { formerTurnsReserve, withFormerTurns } from '../acp/formerTurns.ts'
import { planBuild } from '../builds/planBuild.ts'
import { readCommit } from '../builds/progress.ts'
import { signingVariables } from '../builds/signingFiles.ts'
import type { CliCommand } from '../clis/cliCommand.ts'
import type { CliRegister } from '../clis/cliRegister.ts'
import { tail } from '../connection/spool.ts'
import { planDeploy } from '../deployments/planDeploy.ts'
import type { AcceptPayload, FormerTurns, JobKind } from '../operations.ts'
import { requireWorktree } from '../roots.ts'
import { tokenVariable } from '../system/environment.ts'
import { type AttachedFile, placeAttachments } from './attachments.ts'
import type { JobFolder, JobResult, RunPlan } from './folder.ts'
import { Refusal } from './refusal.ts'
import {
  AiSpec,
  BuildSpec,
  CommandsSpec,
  CreateWorktreeSpec,
  DeploySpec,
  RemoveWorktreeSpec,
  readSpec,
} from './spec.ts'
import { concludeCreate, planCreate, planRemove } from './worktrees.ts'

/** The plan of a job: commands for the supervisor, or a conversation in this process. */
export type Plan =
  | {
      mode: 'SUPERVISED'
      run: RunPlan
      environment: Record<string, string>
      /** The plain CLI of an AI job. */
      cli?: CliCommand
    }
  | {
      mode: 'CONVERSATION'
      cli: CliCommand
      spec: AiSpec
      mcp: Mcp | undefined
      former: FormerTurns | undefined
      files: readonly AttachedFile[]
    }

/** The run's MCP endpoint, and a token that is valid only for it. */
export interface Mcp {
  url: string
  token: string
}

export interface Setup {
  roots: readonly string[]
  clis: Pick<CliRegister, 'choose'>
}

/** The maximum size of a single argument on Linux (MAX_ARG_STRLEN), without the terminating zero, in bytes. */
const largestArgument = 128 * 1024 - 1

/** Throws Refusal if the job is impossible or not permitted here. Planning starts and changes nothing. */
export async function planJob(accepted: AcceptPayload, folder: JobFolder, { roots, clis }: Setup): Promise<Plan> {
  const { kind, spec } = accepted.job
  const { mark } = folder
  switch (kind) {
    case 'COMMANDS':
      return supervised(mark, await planCommands(readSpec(CommandsSpec, spec), roots))
    case 'BUILD':
      return supervised(
        mark,
        await planBuild(readSpec(BuildSpec, spec), folder, roots),
        // As a run's token, they are passed in the environment, which is not stored on disk.
        signingVariables(accepted.signingAssets, folder),
      )
    case 'DEPLOY':
      return supervised(mark, planDeploy(readSpec(DeploySpec, spec), folder))
    case 'CREATE_WORKTREE':
      return supervised(mark, await planCreate(readSpec(CreateWorktreeSpec, spec), mark, roots))
    case 'REMOVE_WORKTREE':
      return supervised(mark, await planRemove(readSpec(RemoveWorktreeSpec, spec), roots))
    case 'AI':
      return planAi(folder, accepted, { roots, clis })
    default:
      throw new Refusal('BAD_SPEC', `This version of the agent does not know jobs of the kind ${kind}.`)
  }
}

function supervised(
  mark: string,
  run: Omit<RunPlan, 'mark'>,
  environment: Record<string, string> = {},
): Extract<Plan, { mode: 'SUPERVISED' }> {
  return { mode: 'SUPERVISED', run: { mark, ...run }, environment }
}

async function planCommands(spec: CommandsSpec, roots: readonly string[]): Promise<Omit<RunPlan, 'mark'>> {
  const worktree = await requireWorktree(roots, spec.worktreePath)
  const steps = spec.steps.map(({ name, command }) => ({ name, file: 'sh', args: ['-c', command] }))
  return { cwd: worktree.path, env: spec.env ?? {}, timeoutSeconds: spec.timeoutSeconds, steps }
}

async function planAi(folder: JobFolder, accepted: AcceptPayload, { roots, clis }: Setup): Promise<Plan> {
  const spec = readSpec(AiSpec, accepted.job.spec)
  const mcp = toMcp(accepted)
  const former = accepted.former ?? undefined
  const files = placeAttachments(accepted.attachments, folder.path)
  const worktree = await requireWorktree(roots, spec.worktreePath)
  const cli = await clis.choose(spec.cli)
  if (cli.protocol === 'ACP')
    return { mode: 'CONVERSATION', cli, spec: { ...spec, worktreePath: worktree.path }, mcp, former, files }
  if (spec.continues?.required)
    throw new Refusal(
      'CONVERSATION_LOST',
      `${cli.name} is a plain CLI, which cannot continue a conversation, and the run requires it.`,
    )
  refuseOptions(spec, cli)
  const most = largestArgument - (former === undefined ? 0 : formerTurnsReserve)
  const request = withFiles(spec.prompt, files)
  if (Buffer.byteLength(request) > most) {
    throw new Refusal(
      'BAD_SPEC',
      `The prompt is longer than the ${Math.floor(most / 1024)} KiB that ${cli.name}, a plain CLI, can be given here.`,
    )
  }
  const prompt = former === undefined ? request : withFormerTurns(former, request, largestArgument)
  // The prompt is an argument of the shell, never part of its script.
  const step = {
    name: cli.name,
    file: 'sh',
    args: ['-c', `${cli.command} "$1"`, 'sh', prompt],
  }
  const run = { cwd: worktree.path, env: {}, timeoutSeconds: spec.timeoutSeconds, steps: [step] }
  // The run's token is passed in the environment, which is not stored on disk, unlike run.json. A user who may read the environment of
  // a process (its own user, the administrator) may also read the agent's credential, so this reveals nothing more.
  const environment = mcp ? { SIGNALBOX_MCP_URL: mcp.url, [tokenVariable]: mcp.token } : {}
  return { ...supervised(folder.mark, run, environment), cli }
}

/** A plain CLI has no protocol for files, so its prompt names them. */
function withFiles(prompt: string, files: readonly AttachedFile[]): string {
  if (files.length === 0) return prompt
  return `${prompt}\n\nAttached files:\n${files.map(({ path }) => `- ${path}`).join('\n')}`
}

function toMcp({ mcpUrl, runToken }: AcceptPayload): Mcp | undefined {
  return mcpUrl && runToken ? { url: mcpUrl, token: runToken } : undefined
}

/** The maximum size of a plain CLI's output that is its answer, in bytes. */
const answerBytes = 128 * 1024

/** Returns the result of the job for the control plane, or undefined if there is none. Throws if the result cannot be read. */
export async function concludeJob(
  kind: JobKind,
  spec: unknown,
  result: JobResult,
  folder: JobFolder,
  { roots }: Setup,
): Promise<unknown> {
  if (result.result !== undefined) return result.result
  // It was canceled before the agent had the answer to its acceptance.
  if (spec === undefined) return undefined
  if (kind === 'AI') {
    const text = await tail(folder.output, 'STDOUT', answerBytes)
    const opening = readSpec(AiSpec, spec).continues ? 'REPLAYED' : 'NEW'
    return { conversation: null, opening, stopReason: result.outcome === 'SUCCEEDED' ? 'end_turn' : null, text }
  }
  if (kind === 'BUILD') return { commit: await readCommit(folder) }
  if (result.outcome !== 'SUCCEEDED') return undefined
  if (kind === 'CREATE_WORKTREE') return concludeCreate(readSpec(CreateWorktreeSpec, spec), roots)
  return kind === 'REMOVE_WORKTREE' ? {} : undefined
}

/** A plain CLI has no protocol for these. Its own configuration decides, so the run must not appear to have them. */
function refuseOptions({ model, cliMode, permissions }: AiSpec, { name }: CliCommand): void {
  const refuse = (code: Refusal['code'], what: string) => {
    throw new Refusal(
      code,
      `${name} is a plain CLI, so a run cannot set its ${what}. Set it in the command of the CLI.`,
    )
  }
  if (model !== undefined) refuse('MODEL_UNAVAILABLE', 'model')
  if (cliMode !== undefined) refuse('MODE_UNAVAILABLE', 'mode')
  if (permissions !== undefined && (permissions.policy !== 'ALLOW_ALL' || permissions.rules.length > 0))
    refuse('PERMISSIONS_UNAVAILABLE', 'permissions')
}
