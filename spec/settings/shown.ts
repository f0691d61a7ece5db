/** The settings as anybody who is signed in may see them. */

import { type Limits, limits } from '../core/limits.ts'
import type { ShownSetting } from './installation.ts'
import type { Environment } from './reader.ts'
import { limitSetting, type Name, type Setting, table } from './table.ts'

/** What counts where a setting is not set and has a default. */
export type Defaults = Partial<Readonly<Record<Name, string | number | boolean>>>

export function shownSettings(env: Environment, defaults: Defaults): readonly ShownSetting[] {
  const own = (Object.entries(table) as [Name, Setting][]).map(([name, { secret }]) =>
    shown(env, name, secret === true, defaults[name]),
  )
  const bounds = (Object.keys(limits) as (keyof Limits)[]).map((name) =>
    shown(env, limitSetting(name), false, limits[name]),
  )
  return [...own, ...bounds]
}

function shown(
  env: Environment,
  name: string,
  secret: boolean,
  otherwise: string | number | boolean | undefined,
): ShownSetting {
  const text = env[name]?.trim() ?? ''
  const set = text !== ''
  if (secret) return { name, set, secret, value: set ? 'set' : 'not set' }
  return { name, set, secret, value: set ? withoutSecrets(text) : otherwise === undefined ? null : String(otherwise) }
}

/** A URL may carry a password or a token where nobody thought of it as a secret. */
function withoutSecrets(text: string): string {
  if (!text.includes('://')) return text
  return text.replace(/(:\/\/)[^/?#\s,]*@/g, '$1…@').replace(/[?#][^\s,]*/g, '?…')
}
