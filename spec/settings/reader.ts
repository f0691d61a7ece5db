import * as v from 'valibot'
import { type Limits, limits } from '../core/limits.ts'
import { SettingsError } from './settingsError.ts'
import {
  limitOf,
  limitSetting,
  type Name,
  ourPrefixes,
  type Setting,
  settingNames,
  table,
  type Value,
} from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads one setting after another, refusing each that is wrong. An empty one counts as absent. */
export interface Reader {
  /** Its value, or undefined when it is not set. */
  <N extends Name>(name: N): Value<N> | undefined
  isSet(name: Name): boolean
}

export function readerOf(env: Environment): Reader {
  const read = <N extends Name>(name: N): Value<N> | undefined => parse(env, name, table[name]) as Value<N> | undefined
  return Object.assign(read, { isSet: (name: Name) => textOf(env, name) !== undefined })
}

export function readLimits(env: Environment): Limits {
  const names = Object.keys(limits) as (keyof Limits)[]
  const entries = names.map((name) => [name, parse(env, limitSetting(name), limitOf(name)) ?? limits[name]])
  return Object.fromEntries(entries)
}

/** Refuses a name that only looks like a setting: it would be passed over without a word. */
export function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env)) {
    const ours = ourPrefixes.some((prefix) => name.startsWith(prefix))
    if (!ours || settingNames.includes(name)) continue
    const [closest] = [...settingNames].sort((a, b) => shared(b, name) - shared(a, name))
    throw new SettingsError(`${name} is not a setting: remove it or correct its name, for example to ${closest}.`)
  }
}

function parse(env: Environment, name: string, setting: Setting): unknown {
  const value = textOf(env, name)
  if (value === undefined) return undefined
  // The first check that fails ends it: later ones count on the earlier.
  const result = v.safeParse(setting.schema, value, { abortPipeEarly: true })
  if (result.success) return result.output
  const given = setting.secret ? '' : `, and is ${JSON.stringify(value.slice(0, 200))}`
  throw new SettingsError(`${name} must be ${setting.rule}${given}: for example ${name}=${setting.example}.`)
}

function textOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function shared(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
