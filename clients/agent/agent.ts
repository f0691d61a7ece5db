import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readClis } from './clis/cliCommand.ts'
import { CliRegister } from './clis/cliRegister.ts'
import { CodebaseReporter } from './codebases/reporter.ts'
import { CredentialStore } from './connection/credential.ts'
import { enroll } from './connection/enroll.ts'
import { beat } from './connection/heartbeat.ts'
import { rotation } from './connection/rotation.ts'
import { Uplink } from './connection/uplink.ts'
import { DeviceRegister } from './deployments/deviceRegister.ts'
import { AgentFailure, exitCodes } from './failures.ts'
import type { JobContext } from './jobs/job.ts'
import { Jobs } from './jobs/jobs.ts'
import { WorktreeUse } from './jobs/worktreeUse.ts'
import type { Logger } from './log.ts'
import type { ConnectInput } from './operations.ts'
import type { Options } from './options.ts'
import { SkillReporter } from './skills/skillReporter.ts'
import { SkillStore } from './skills/skillStore.ts'
import { WorktreeSkills } from './skills/worktreeSkills.ts'
import { type Identity, openState, prepareFolder, type State, writeIdentity } from './state.ts'
import { takeLock } from './system/lock.ts'
import { version } from './version.ts'
import { deferred, sleep, within } from './wait.ts'

export interface RunOptions extends Options {
  log: Logger
  /** The file that is started with `--supervise`. The default is the program's own file. */
  entry?: string
}

export interface RunningAgent {
  agentId: string
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

/** Milliseconds to wait until results reach the control plane when the agent stops. */
const farewellMs = 3_000
const stopGraceSeconds = 5

/** Enrolls if needed, continues the jobs of a former process, and connects. Resolves once the agent is enrolled. */
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

async function start(options: RunOptions, lock: Awaited<ReturnType<typeof takeLock>>): Promise<RunningAgent> {
  const { log } = options
  const state = await openState(options)
  const credentials = new CredentialStore(state.folder)
  const identity = await identityOf(state, credentials, options)
  const closing = new AbortController()
  const clis = new CliRegister({ named: readClis(state.config.clis), detect: state.config.detectClis })
  log.info('Repositories are looked for below these folders; --root DIR chooses others.', { roots: state.config.roots })
  for (const root of state.config.roots.filter((folder) => !existsSync(folder)))
    log.warn('A folder with repositories does not exist; create it, or choose others with --root DIR.', { root })

  const uplink: Uplink = new Uplink({
    urls: socketUrls(identity),
    credentials,
    log,
    facts: () => ({ ...machineFacts(), clis: clis.list(), jobs: jobs.list() }),
    onConnected: (payload) => jobs.reconcile(payload.jobs),
    onOffer: (offer) => jobs.onOffer(offer),
    isLiving: () => lock.held(),
  })
  const reporter = new CodebaseReporter(
    { roots: state.config.roots, stateFolder: state.folder, uplink, log },
    closing.signal,
  )
  const store = new SkillStore(state.folder)
  await store.open()
  const skills = new SkillReporter({ store, uplink, log }, closing.signal)
  const context: JobContext = {
    worktrees: new WorktreeUse(),
    skills: { store, worktrees: new WorktreeSkills(log) },
    uplink,
    credentials,
    log,
    closing: closing.signal,
    setup: { roots: state.config.roots, clis },
    entry: { file: options.entry ?? ownEntry() },
    onEnded: () => void reporter.look(),
  }
  const jobs: Jobs = new Jobs(state.jobsFolder, context)
  await jobs.takeUp()

  const devices = new DeviceRegister(log)
  const pulse = {
    jobs: () => jobs.running(),
    clis: () => clis.list(),
    destinations: () => devices.list(),
    onStop: jobs.stop.bind(jobs),
    log,
  }
  const rotate = rotation({ uplink, credentials, afterDays: options.rotateAfterDays, log })
  let beatNow = () => {}
  uplink.onSession((session, ended) => {
    beatNow = beat(session, pulse, ended)
    void rotate()
  })
  void reporter.run()
  void skills.run()
  void clis.run(closing.signal, () => beatNow())
  void devices.run(closing.signal, () => beatNow())

  const closed = deferred()
  const close = async () => {
    uplink.stop()
    closing.abort()
    await lock.release()
    closed.resolve()
  }
  const connected = uplink.run().then(() => closed.promise)
  const done = connected.catch(async (error) => {
    // The control plane rejected the agent, and gives its worktrees to others. So the agent's jobs must end.
    // Nothing more can be reported, so nothing waits for a connection.
    uplink.stop()
    if (error instanceof AgentFailure && error.exitCode === exitCodes.credential) await jobs.abandonAll()
    await close()
    throw error
  })
  done.catch(() => {})
  let endJobs = false
  return {
    agentId: identity.agentId,
    done,
    commands: () => jobs.list().filter((job) => !job.finished).length,
    stop: async (which = 'LEAVE', patienceMs = 0) => {
      endJobs ||= which === 'END'
      jobs.stopTaking()
      await jobs.end(which === 'END' ? 'ALL' : 'CONVERSATIONS', cancelBecause(which))
      await within(farewellMs, jobs.settleAll())
      await sleep(patienceMs)
      // If a stricter stop followed, that one closes the agent.
      if (which === 'END' || !endJobs) await close()
      await done.catch(() => {})
    },
  }
}

async function identityOf(state: State, credentials: CredentialStore, options: RunOptions) {
  const enrolled = (await credentials.read()) !== undefined
  const { server } = state.config
  if (enrolled && state.identity) {
    if (server === undefined || server === state.identity.server) return state.identity
    // The same control plane at another address, which serves the protocol too. The credential shows whether it is the same one.
    const moved = { ...state.identity, server, agentWsUrl: socketUrl(server.replace(/^http/, 'ws')) }
    options.log.info('The control plane has a new address.', { server, before: state.identity.server })
    await writeIdentity(state.folder, moved)
    return moved
  }
  if (server === undefined || options.token === undefined) {
    throw new AgentFailure(
      exitCodes.usage,
      'This machine is not enrolled yet; start once with --server URL and SIGNALBOX_TOKEN=enroll_… in the environment (make the token with createEnrollmentToken).',
    )
  }
  const identity = await enroll({
    folder: state.folder,
    server,
    token: options.token,
    name: state.config.name,
    credentials,
    log: options.log,
  })
  options.log.info('Enrolled.', { agentId: identity.agentId, name: identity.name })
  return identity
}

function machineFacts(): Omit<ConnectInput, 'clis' | 'jobs'> {
  return { version, hostname: hostname(), platform: process.platform, arch: process.arch }
}

/**
 * The agents' listener, and the main address, which serves the protocol too, in case the listener has moved. Addresses without
 * encryption are removed if the listener uses it.
 */
function socketUrls({ agentWsUrl, server }: Identity): string[] {
  const urls = [socketUrl(agentWsUrl), socketUrl(server.replace(/^http/, 'ws'))]
  return agentWsUrl.startsWith('wss:') ? urls.filter((url) => url.startsWith('wss:')) : urls
}

/** The control plane reports the address of its listener. The path of the protocol is `/graphql`. */
function socketUrl(address: string): string {
  return address.endsWith('/graphql') ? address : `${address.replace(/\/+$/, '')}/graphql`
}

function cancelBecause(which: 'LEAVE' | 'END') {
  return {
    outcome: 'FAILED' as const,
    graceSeconds: stopGraceSeconds,
    ...(which === 'END'
      ? { errorCode: 'AGENT_STOPPED', errorMessage: 'The agent was stopped together with its jobs.' }
      : { errorCode: 'AGENT_RESTARTED', errorMessage: 'The agent was stopped during the conversation.' }),
  }
}

/** Returns this file if it is bundled, otherwise the program's source. */
function ownEntry(): string {
  return import.meta.url.endsWith('.ts')
    ? fileURLToPath(new URL('./main.ts', import.meta.url))
    : fileURLToPath(import.meta.url)
}
