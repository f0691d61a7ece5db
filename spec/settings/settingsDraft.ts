import * as v from 'valibot'
import type { Limits } from '../core/limits.ts'
import { type Environment, maskUrls, readText, readTexts } from './environment.ts'
import { SettingsError } from './settingsError.ts'
import {
  allSettings,
  limitNames,
  limitSetting,
  reservedPrefixes,
  type SettingName,
  type SettingValues,
  settingNames,
} from './table.ts'

const environmentSchema = v.object(
  Object.fromEntries(Object.entries(allSettings).map(([name, { schema }]) => [name, v.optional(schema)])),
)

/**
 * Settings of which each is valid by itself. The checks that compare several settings collect their problems in it, so that
 * all are reported at once: `finish` throws if there are any.
 */
export class SettingsDraft {
  readonly values: SettingValues
  readonly limits: Limits
  readonly #env: Environment
  readonly #problems: string[]

  /** @throws SettingsError if a setting is invalid by itself; settings are then not compared */
  constructor(env: Environment, isTerminal: boolean) {
    this.#env = env
    this.#problems = describeUnknownNames(env)
    const result = v.safeParse(environmentSchema, readTexts(env, isTerminal))
    for (const { path, message } of result.issues ?? []) this.reject(describeIssue(env, String(path?.[0].key), message))
    if (!result.success) throw new SettingsError(this.#problems.join('\n'))
    const values = result.output
    this.values = values as SettingValues
    this.limits = Object.fromEntries(limitNames.map((name) => [name, values[limitSetting(name)]])) as Limits
  }

  isSet(name: SettingName): boolean {
    return readText(this.#env, name) !== undefined
  }

  reject(problem: string): void {
    this.#problems.push(problem)
  }

  rejectMissing(name: SettingName, because: string): void {
    this.reject(`${name} is missing and ${because}: ${describeExample(name)}`)
  }

  /** Returns the value of a setting that must be set. Without it, `finish` throws. */
  require<Name extends SettingName>(name: Name, because: string): NonNullable<SettingValues[Name]> {
    if (this.values[name] === undefined) this.rejectMissing(name, because)
    return this.values[name] as NonNullable<SettingValues[Name]>
  }

  /** @throws SettingsError */
  finish<T>(settings: T): T {
    if (this.#problems.length > 0) throw new SettingsError(this.#problems.join('\n'))
    return settings
  }
}

function describeIssue(env: Environment, name: string, rule: string): string {
  const text = maskUrls(readText(env, name) ?? '').slice(0, 200)
  const given = allSettings[name]?.secret ? ' (its value is not shown)' : `, and is ${JSON.stringify(text)}`
  return `${name} must be ${rule}${given}: ${describeExample(name)}`
}

/** Returns the end of each message about a setting. */
export function describeExample(name: string): string {
  const { example, default: text } = allSettings[name] ?? {}
  return `for example ${name}=${example ?? text}.`
}

/** Reports names that look like settings: without a report, the server would ignore them. */
function describeUnknownNames(env: Environment): string[] {
  const unknown = Object.keys(env).filter(
    (name) => reservedPrefixes.some((prefix) => name.startsWith(prefix)) && !settingNames.includes(name),
  )
  return unknown.map((name) => {
    const [closest] = [...settingNames].sort((a, b) => commonPrefixLength(b, name) - commonPrefixLength(a, name))
    return `${name} is not a setting: remove it or correct its name, for example to ${closest}.`
  })
}

function commonPrefixLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
