import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentCli } from '../operations.ts'
import type { KnownCli, Sign } from './knownClis.ts'
import type { Surroundings } from './surroundings.ts'

export type SignIn = NonNullable<AgentCli['signIn']>

/**
 * Returns whether the CLI has a credential on this machine, without starting it. Only the existence of files and variables counts: whether
 * the credential is valid shows at the first use of the CLI.
 */
export async function readSignIn({ folder, signedIn, perhaps }: KnownCli, on: Surroundings): Promise<SignIn> {
  const path = (folder.variable && on.env[folder.variable]) || join(on.home, folder.path)
  const anyExists = async (signs: readonly Sign[]) => {
    const exist = await Promise.all(signs.map((sign) => exists(sign, path, on)))
    return exist.includes(true)
  }
  if (await anyExists(signedIn)) return 'SIGNED_IN'
  return (await anyExists(perhaps)) ? 'UNKNOWN' : 'SIGNED_OUT'
}

async function exists(sign: Sign, folder: string, { env, platform }: Surroundings): Promise<boolean> {
  if ('variables' in sign) return sign.variables.every((name) => env[name])
  if ('keychainOf' in sign) return sign.keychainOf === platform
  if ('always' in sign) return sign.always
  const file = await stat(join(folder, sign.file)).catch(() => undefined)
  return file !== undefined && file.size > 0
}
