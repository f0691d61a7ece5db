/** The environment as settings see it: trimmed texts and defaults, with nothing secret in what is printed. */
import { allSettings, type DefaultContext, type Setting } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns undefined for an empty text: it counts as absent. */
export function readText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Returns the text of each setting, or its default. Settings without either are absent. */
export function readTexts(env: Environment, isTerminal: boolean): Readonly<Record<string, string>> {
  const context = { production: readText(env, 'NODE_ENV') === 'production', isTerminal }
  const texts = Object.entries(allSettings).map(([name, setting]) => [
    name,
    readText(env, name) ?? defaultText(setting, context),
  ])
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
}

export function defaultText(setting: Setting, context: DefaultContext): string | undefined {
  return typeof setting.default === 'function' ? setting.default(context) : setting.default
}

/** Removes user, password, query and fragment from URLs: settings that are not secret can have a secret in them. */
export function maskUrls(text: string): string {
  if (!text.includes('://')) return text
  return text.replace(/(:\/\/)[^/?#\s,]*@/g, '$1…@').replace(/[?#][^\s,]*/g, '?…')
}
