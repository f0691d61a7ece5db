/**
 * The files of a build's signing assets. They are in a folder of the attempt, outside of the checkout, that only the user of the agent may
 * read, from the acceptance of the job until its steps have ended. They are removed by the supervisor, by the agent, and, if both were killed,
 * at the next start of the agent.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JobFolder, readRecord } from '../jobs/folder.ts'
import { Refusal } from '../jobs/refusal.ts'
import type { SigningAsset } from '../operations.ts'
import { isAlive } from '../system/identity.ts'

const folderOf = ({ path }: Pick<JobFolder, 'path'>): string => join(path, 'signing')

const prefix = 'SIGNALBOX_SIGNING_'
const passwordVariable = /^SIGNALBOX_SIGNING_[A-Z0-9_]+_(?:KEY)?PASSWORD$/

/** Each asset has a folder, because two of them may have files of one name. @throws Refusal BAD_SPEC */
function pathOf({ variable, fileName }: SigningAsset, folder: Pick<JobFolder, 'path'>): string {
  const isName = /^[A-Z0-9_]{1,100}$/.test(variable) && /^(?!\.+$)[^/\\\0]{1,200}$/.test(fileName)
  if (!isName) throw new Refusal('BAD_SPEC', 'The job’s signingAssets is not right: a name is not the name of a file.')
  return join(folderOf(folder), variable, fileName)
}

/** The variables by which the steps find the files. Those with passwords are removed from the log. */
export function signingVariables(
  assets: readonly SigningAsset[],
  folder: Pick<JobFolder, 'path'>,
): Record<string, string> {
  if (assets.length === 0) return {}
  const variables: Record<string, string> = { SIGNALBOX_SIGNING_DIR: folderOf(folder) }
  for (const asset of assets) {
    const { password, keyAlias, keyId, issuerId, profileUuid } = asset
    const keyPassword = asset.keyPassword ?? (asset.kind === 'ANDROID_KEYSTORE' ? password : null)
    // None has an underscore, so the variables of two assets never have the same name.
    const values = {
      PATH: pathOf(asset, folder),
      PASSWORD: password ?? (asset.kind === 'APPLE_CERTIFICATE' ? '' : null),
      ALIAS: keyAlias,
      KEYPASSWORD: keyPassword,
      KEYID: keyId,
      ISSUERID: issuerId,
      UUID: profileUuid,
    }
    for (const [name, value] of Object.entries(values))
      if (value !== null) variables[`${prefix}${asset.variable}_${name}`] = value
  }
  return variables
}

/** The passwords in the environment of the steps. */
export function passwordsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && passwordVariable.test(name) ? [value] : [],
  )
}

/** Writes the files. An interrupted acceptance is repeated, so files of before are replaced, in one step each. */
export async function writeSigningFiles(assets: readonly SigningAsset[], folder: JobFolder): Promise<void> {
  if (assets.length === 0) return
  for (const asset of assets) {
    const path = pathOf(asset, folder)
    const part = join(folderOf(folder), `${asset.variable}.part`)
    await mkdir(join(folderOf(folder), asset.variable), { recursive: true, mode: 0o700 })
    await rm(part, { force: true })
    await writeFile(part, Buffer.from(asset.dataBase64, 'base64'), { mode: 0o600, flag: 'wx' })
    await rename(part, path)
  }
}

/** A repeated call does nothing. */
export async function removeSigningFiles(folder: Pick<JobFolder, 'path'>): Promise<void> {
  await rm(folderOf(folder), { recursive: true, force: true })
}

/** At the start of the agent: removes the files of an attempt whose steps do not run. */
export async function removeLeftSigningFiles(folder: JobFolder): Promise<void> {
  const supervisor = await readRecord(folder, 'started').catch(() => undefined)
  const isRunning = supervisor !== undefined && (await isAlive(supervisor))
  if (!isRunning) await removeSigningFiles(folder)
}
