import { CredentialStore } from './connection/credential.ts'
import { enroll } from './connection/enroll.ts'
import { isUnusedToken } from './connection/enrollmentRecord.ts'
import { finishReplacement } from './connection/newIdentity.ts'
import { socketUrl } from './connection/socketUrls.ts'
import { type EnrolledAgent, startEnrolled } from './enrolledAgent.ts'
import { AgentFailure, ConnectionLost, exitCodes } from './failures.ts'
import type { Logger } from './log.ts'
import type { Options } from './options.ts'
import { type Identity, openState, prepareFolder, type State, writeIdentity } from './state.ts'
import { type Lock, takeLock } from './system/lock.ts'

export interface RunOptions extends Options {
  log: Logger
  /** The file that is started with `--supervise`. The default is the program's own file. */
  entry?: string
}

export interface RunningAgent {
  /** Another one after the machine has enrolled again. */
  readonly agentId: string
  /** The number of attempts that run now. */
  commands(): number
  /**
   * Stops accepting jobs and disconnects. Running commands continue, unless `jobs` is `END`. For `patienceMs`, a second call can
   * still end them.
   */
  stop(jobs?: 'LEAVE' | 'END', patienceMs?: number): Promise<void>
  /** Resolves after stop(). Rejects with AgentFailure if the agent cannot continue. */
  done: Promise<void>
}

/**
 * Enrolls if needed, continues the jobs of a former process, and connects. Resolves once the agent is enrolled. If its credential is
 * refused for good, it enrolls again with the token of this start, as a new agent, unless the token was used before.
 */
export async function runAgent(options: RunOptions): Promise<RunningAgent> {
  await prepareFolder(options.stateDir)
  const lock = await takeLock(options.stateDir)
  try {
    return await start(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function start(options: RunOptions, lock: Lock): Promise<RunningAgent> {
  const credentials = new CredentialStore(options.stateDir)
  await finishReplacement(options.stateDir, credentials)
  const state = await openState(options)
  const stopping = new AbortController()
  const open = (identity: Identity) => startEnrolled({ identity, state, credentials, lock, options })
  let agent = await open(await identityOf(state, credentials, options))

  /** @throws `error` if the agent cannot enroll again */
  const replace = async (error: unknown): Promise<EnrolledAgent> => {
    const { token, log } = options
    const isRefused = error instanceof AgentFailure && error.exitCode === exitCodes.credential
    if (!isRefused || token === undefined || !(await isUnusedToken(state.folder, token))) throw error
    log.warn(
      'This agent was refused, and its jobs have ended. The machine enrolls with the new token, as a new agent.',
      {
        formerAgentId: agent.identity.agentId,
        reason: error.message,
      },
    )
    const server = state.config.server ?? agent.identity.server
    return await open(await enrollAt(server, token, { state, credentials, log, signal: stopping.signal }))
  }
  const run = async () => {
    for (;;) {
      const error: unknown = await agent.done.then(
        () => undefined,
        (reason) => reason,
      )
      if (error === undefined) return
      agent = await replace(error)
      // A stop during the enrollment has only reached the former agent.
      if (stopping.signal.aborted) await agent.stop('LEAVE')
    }
  }
  const done = run()
    .catch((error: unknown) => {
      if (!(error instanceof ConnectionLost && stopping.signal.aborted)) throw error
    })
    .finally(() => lock.release())
  done.catch(() => {})
  return {
    get agentId() {
      return agent.identity.agentId
    },
    done,
    commands: () => agent.commands(),
    stop: async (which = 'LEAVE', patienceMs = 0) => {
      stopping.abort()
      await agent.stop(which, patienceMs)
      await done.catch(() => {})
    },
  }
}

async function identityOf(state: State, credentials: CredentialStore, options: RunOptions): Promise<Identity> {
  const enrolled = (await credentials.read()) !== undefined
  const { server } = state.config
  const { token, log } = options
  if (enrolled && state.identity) {
    if (server === undefined || server === state.identity.server) return state.identity
    // The same control plane at another address, which serves the protocol too. The credential shows whether it is the same one.
    const moved = { ...state.identity, server, agentWsUrl: socketUrl(server.replace(/^http/, 'ws')) }
    log.info('The control plane has a new address.', { server, before: state.identity.server })
    await writeIdentity(state.folder, moved)
    return moved
  }
  if (server === undefined || token === undefined) {
    throw new AgentFailure(
      exitCodes.usage,
      'This machine is not enrolled yet; start once with --server URL and SIGNALBOX_TOKEN=enroll_… in the environment (make the token with createEnrollmentToken).',
    )
  }
  return await enrollAt(server, token, { state, credentials, log })
}

interface EnrollmentParts {
  state: State
  credentials: CredentialStore
  log: Logger
  signal?: AbortSignal
}

function enrollAt(server: string, token: string, { state, ...parts }: EnrollmentParts): Promise<Identity> {
  return enroll({ folder: state.folder, name: state.config.name, server, token, ...parts })
}
