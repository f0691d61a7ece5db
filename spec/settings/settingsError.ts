/**
 * The environment has settings that cannot be used. `message` has one line for each problem. A line names the setting, describes
 * the problem and gives an example. It never contains the value of a secret.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
