/** An agent with one identity, from its start until it is stopped or refused: its connection, its jobs and its reports. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { version } from '../../spec/settings/version.ts'
import { readClis } from './clis/cliCommand.ts'
import { CliRegister } from './clis/cliRegister.ts'
import { CodebaseReporter } from './codebases/reporter.ts'
import type { CredentialStore } from './connection/credential.ts'
import { CredentialUse, unknownCredentialMs } from './connection/credentialUse.ts'
import { isUnusedToken } from './connection/enrollmentRecord.ts'
import { beat } from './connection/heartbeat.ts'
import { rotateCredential } from './connection/rotation.ts'
import { socketUrls } from './connection/socketUrls.ts'
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
import type { Identity, State } from './state.ts'
import type { Lock } from './system/lock.ts'
import { deferred, sleep, within } from './wait.ts'

export interface EnrolledAgentParts {
  identity: Identity
  state: State
  credentials: CredentialStore
  lock: Lock
  options: Options & { log: Logger; entry?: string }
}

export interface EnrolledAgent {
  identity: Identity
  commands(): number
  stop(jobs: 'LEAVE' | 'END', patienceMs?: number): Promise<void>
  /** Resolves after stop(). Rejects with AgentFailure if the agent cannot continue. If it was refused, its jobs have ended then. */
  done: Promise<void>
}

/** Milliseconds to wait until results reach the control plane when the agent stops. */
const farewellMs = 3_000
const stopGraceSeconds = 5

/** Continues the jobs of a former process, and connects. */
export async function startEnrolled(parts: EnrolledAgentParts): Promise<EnrolledAgent> {
  const { identity, state, credentials, lock, options } = parts
  const { log, token } = options
  const hasUnusedToken = token !== undefined && (await isUnusedToken(state.folder, token))
  const closing = new AbortController()
  const clis = new CliRegister({ named: readClis(state.config.clis), detect: state.config.detectClis })
  log.info('Repositories are looked for below these folders; --root DIR chooses others.', { roots: state.config.roots })
  for (const root of state.config.roots.filter((folder) => !existsSync(folder)))
    log.warn('A folder with repositories does not exist; create it, or choose others with --root DIR.', { root })

  const giveUpMs = options.unknownCredentialMs ?? unknownCredentialMs
  const uplink: Uplink = new Uplink({
    urls: socketUrls(identity),
    credential: new CredentialUse({ credentials, log, giveUpMs, isReplaceable: hasUnusedToken }),
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
  rotateCredential({ uplink, credentials, afterDays: options.rotateAfterDays, log })
  let beatNow = () => {}
  uplink.onSession((session, ended) => {
    beatNow = beat(session, pulse, ended)
  })
  if (hasUnusedToken) warnOfToken(uplink, identity, log)
  void reporter.run()
  void skills.run()
  void clis.run(closing.signal, () => beatNow())
  void devices.run(closing.signal, () => beatNow())

  const closed = deferred()
  const close = () => {
    uplink.stop()
    closing.abort()
    closed.resolve()
  }
  const connected = uplink.run().then(() => closed.promise)
  const done = connected.catch(async (error) => {
    // The control plane rejected the agent, and gives its worktrees to others. So the agent's jobs must end.
    // Nothing more can be reported, so nothing waits for a connection.
    uplink.stop()
    if (error instanceof AgentFailure && error.exitCode === exitCodes.credential) await jobs.abandonAll()
    close()
    throw error
  })
  done.catch(() => {})
  let endJobs = false
  return {
    identity,
    done,
    commands: () => jobs.list().filter((job) => !job.finished).length,
    stop: async (which, patienceMs = 0) => {
      endJobs ||= which === 'END'
      jobs.stopTaking()
      await jobs.end(which === 'END' ? 'ALL' : 'CONVERSATIONS', cancelBecause(which))
      await within(farewellMs, jobs.settleAll())
      await sleep(patienceMs)
      // If a stricter stop followed, that one closes the agent.
      if (which === 'END' || !endJobs) close()
      await done.catch(() => {})
    },
  }
}

/** Logs once that the token has no effect, because the stored credential works. */
function warnOfToken(uplink: Uplink, { agentId, name }: Identity, log: Logger): void {
  let isLogged = false
  uplink.onSession(() => {
    if (isLogged) return
    isLogged = true
    log.warn(
      'The token in SIGNALBOX_TOKEN is ignored, because this machine is enrolled. To enroll it as a new agent, revoke this one first; for a second agent, choose another folder with --state DIR. Otherwise remove the token.',
      { agentId, name },
    )
  })
}

function machineFacts(): Omit<ConnectInput, 'clis' | 'jobs'> {
  return { version, hostname: hostname(), platform: process.platform, arch: process.arch }
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
