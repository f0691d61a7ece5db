/** The agent that `npm start` starts outside production. It is enrolled automatically, so that a first run needs no second machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from './failures.ts'
import { type SpawnedAgent, spawnAgent } from './system/spawn.ts'

export interface LocalAgentOptions {
  /** The address of the control plane. */
  readonly server: string
  readonly dataDir: string
  /** Folders below which repositories are found. */
  readonly roots: readonly string[]
  /** The coding CLIs that it offers, as values of `--cli`. */
  readonly clis: readonly string[]
  /** Creates an enrollment token. Called if this machine has no credential, or a rejected one. */
  enroll(): Promise<string>
  /** Called with the exit code if the agent ended without a stop. */
  ended(code: number | null): void
}

export interface LocalAgent {
  stop(): Promise<void>
}

export async function startLocalAgent(options: LocalAgentOptions): Promise<LocalAgent> {
  const stateDir = join(options.dataDir, 'agent')
  let stopping = false
  let agent = await spawn(
    options,
    stateDir,
    existsSync(join(stateDir, 'credential')) ? undefined : await options.enroll(),
  )

  const watch = async (enrollAgain: boolean): Promise<void> => {
    const code = await agent.exited.catch(() => null)
    if (stopping) return
    options.ended(code)
    // The credential is from another database, or was revoked. This machine belongs to the server, so it may enroll again. With a new
    // token, the agent replaces the refused credential itself.
    if (code !== exitCodes.credential || !enrollAgain) return
    agent = await spawn(options, stateDir, await options.enroll())
    await watch(false)
  }
  void watch(true)
  return {
    async stop() {
      stopping = true
      await agent.stop()
    },
  }
}

function spawn({ server, roots, clis }: LocalAgentOptions, stateDir: string, token: string | undefined): SpawnedAgent {
  return spawnAgent({
    server,
    stateDir,
    roots: [...roots],
    clis,
    name: 'local',
    // The server that starts it is the right one. So an unknown credential will not work later.
    env: { SIGNALBOX_UNKNOWN_CREDENTIAL_MS: '0' },
    ...(token === undefined ? {} : { token }),
  })
}
