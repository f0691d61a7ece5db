import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { AgentFailure, exitCodes, messageOf } from './failures.ts'
import type { Options } from './options.ts'
import { readJson, writeJson } from './system/files.ts'

/** The state folder: the agent's identity, its configuration, and its jobs. Only its user can read it. */
export interface State {
  folder: string
  jobsFolder: string
  config: Config
  identity: Identity | undefined
}

const Config = v.object({
  server: v.optional(v.string()),
  name: v.optional(v.string()),
  roots: v.optional(v.array(v.string()), []),
  clis: v.optional(v.record(v.string(), v.string()), {}),
  detectClis: v.optional(v.boolean(), false),
})
export type Config = v.InferOutput<typeof Config>

export const Identity = v.object({ agentId: v.string(), name: v.string(), server: v.string(), agentWsUrl: v.string() })
export type Identity = v.InferOutput<typeof Identity>

/** Creates the folder with mode 0700, or rejects one that other users can access. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mode = (await stat(folder)).mode & 0o777
  if ((mode & 0o077) !== 0) {
    throw new AgentFailure(
      exitCodes.usage,
      `Others can look into the state folder ${folder} (mode ${mode.toString(8)}); run: chmod 700 ${folder}`,
    )
  }
  await mkdir(join(folder, 'jobs'), { recursive: true, mode: 0o700 })
  await chmod(join(folder, 'jobs'), 0o700)
}

/** Reads the folder and stores the options of this start, so that the next start needs only the folder. */
export async function openState(options: Options): Promise<State> {
  // Removes incomplete files of a killed process. The caller holds the folder's lock.
  for (const name of await readdir(options.stateDir)) {
    if (name.endsWith('.tmp')) await rm(join(options.stateDir, name), { force: true })
  }
  const configFile = join(options.stateDir, 'config.json')
  const stored = await readRecord(configFile, Config)
  const config: Config = {
    server: options.server ?? stored?.server,
    // If undefined, the control plane uses the enrollment's name, or otherwise the host's.
    name: options.name ?? stored?.name,
    // The folder of the first start is the default.
    roots: options.roots.length > 0 ? options.roots : (stored?.roots ?? [process.cwd()]),
    clis: options.clis?.named ?? stored?.clis ?? {},
    detectClis: options.clis?.detect ?? stored?.detectClis ?? false,
  }
  if (JSON.stringify(config) !== JSON.stringify(stored)) await writeJson(configFile, config)
  const identity = await readRecord(join(options.stateDir, 'identity.json'), Identity)
  return { folder: options.stateDir, jobsFolder: join(options.stateDir, 'jobs'), config, identity }
}

export async function writeIdentity(folder: string, identity: Identity): Promise<void> {
  await writeJson(join(folder, 'identity.json'), identity)
}

/** Returns undefined if there is no file. Throws AgentFailure if it is not valid. */
export async function readRecord<S extends v.GenericSchema>(
  path: string,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  try {
    const value = await readJson(path)
    return value === undefined ? undefined : v.parse(schema, value)
  } catch (error) {
    throw new AgentFailure(exitCodes.usage, `${path} can't be read (${messageOf(error)}); mend it or remove it.`)
  }
}
