/**
 * The environment holds a setting that can't be used. `message` is one sentence that names the setting, what is wrong
 * and an example; the value of a secret is not in it.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
