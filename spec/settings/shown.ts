import { type Environment, maskUrls, readText, readTexts } from './environment.ts'
import type { ShownSetting } from './installation.ts'
import { allSettings } from './table.ts'

/** Returns all settings as every signed-in user may see them. */
export function shownSettings(env: Environment, isTerminal: boolean): readonly ShownSetting[] {
  const texts = readTexts(env, isTerminal)
  return Object.entries(allSettings).map(([name, { secret = false }]) => {
    const set = readText(env, name) !== undefined
    const text = texts[name]
    if (secret) return { name, set, secret, value: set ? 'set' : 'not set' }
    return { name, set, secret, value: text === undefined ? null : maskUrls(text) }
  })
}
