/** The agent that `npm start` brings along outside production: enrolled by itself, so that a first run needs no second machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type SpawnedAgent, spawnAgent } from './spawn.ts'

export interface LocalAgentOptions {
  /** The control plane's own address. */
  readonly server: string
  readonly dataDir: string
  /** Folders below which repositories are found. */
  readonly roots: readonly string[]
  /** Makes an enrolment token; called where this machine has no credential yet. */
  enroll(): Promise<string>
}

export async function startLocalAgent({ server, dataDir, roots, enroll }: LocalAgentOptions): Promise<SpawnedAgent> {
  const stateDir = join(dataDir, 'agent')
  const enrolled = existsSync(join(stateDir, 'credential'))
  const token = enrolled ? undefined : await enroll()
  return spawnAgent({ server, stateDir, roots: [...roots], name: 'local', ...(token === undefined ? {} : { token }) })
}
