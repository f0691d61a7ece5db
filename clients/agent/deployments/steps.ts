/** The commands that install and start a file on each kind of destination. File names and IDs are arguments, never part of a script. */
import type { JobFolder, RunPlan } from '../jobs/folder.ts'
import { runningFile } from './place.ts'

export type Step = RunPlan['steps'][number]

const note = 'printf running > "$1.part" && mv "$1.part" "$1"'

/** Notes that it runs from now on. `$1` of a script is the file of the note. */
const shell = (name: string, script: string, folder: JobFolder, ...args: readonly string[]): Step => ({
  name,
  file: 'sh',
  args: ['-c', script, 'sh', runningFile(folder), ...args],
})

const install = (name: string, script: string, folder: JobFolder, ...args: readonly string[]): Step => ({
  ...shell(name, script, folder, ...args),
  failureCode: 'INSTALL_FAILED',
})

const launchers: readonly (readonly [ending: RegExp, script: string])[] = [
  [/\.sh$/i, 'exec sh "$2"'],
  [/\.py$/i, 'exec python3 "$2"'],
  [/\.m?js$/i, 'exec node "$2"'],
  [/\.jar$/i, 'exec java -jar "$2"'],
]

/** Starts it on this machine, and waits for its end. */
export function hostSteps(file: string, folder: JobFolder): Step[] {
  const launcher = launchers.find(([ending]) => ending.test(file))?.[1] ?? 'chmod u+x "$2" && exec "$2"'
  return [shell('Start', `${note} && ${launcher}`, folder, file)]
}

export function commandSteps(command: string, folder: JobFolder): Step[] {
  return [shell('Deploy', `${note} && exec sh -c "$2"`, folder, command)]
}

/** The package name is read by aapt2 of the Android SDK. Without it, the app is installed and not started. */
export function androidSteps(file: string, serial: string, folder: JobFolder): Step[] {
  const start = [
    note,
    'if ! command -v aapt2 > /dev/null; then',
    '  echo "The app is installed. It is not started, because the PATH of the agent has no aapt2, which reads its name." >&2',
    '  exit 0',
    'fi',
    'package=$(aapt2 dump packagename "$3") || exit 1',
    'exec adb -s "$2" shell monkey -p "$package" -c android.intent.category.LAUNCHER 1',
  ].join('\n')
  return [
    install('Install', 'exec adb -s "$2" install -r "$3"', folder, serial, file),
    shell('Start', start, folder, serial, file),
  ]
}

/** The archive has one folder `NAME.app` at its top. */
export function simulatorSteps(file: string, udid: string, folder: JobFolder): Step[] {
  const unpack = [
    'mkdir -p app && rm -rf app/*.app',
    'case $2 in *.zip) ditto -x -k "$2" app ;; *) tar -xzf "$2" -C app ;; esac || exit 1',
    '[ -d app/*.app ] || { echo "The archive has no folder NAME.app at its top." >&2; exit 1; }',
  ].join('\n')
  const start = [
    'bundle=$(plutil -extract CFBundleIdentifier raw app/*.app/Info.plist) || exit 1',
    note,
    'exec xcrun simctl launch --console "$2" "$bundle"',
  ].join('\n')
  return [
    install('Unpack', unpack, folder, file),
    install('Boot', 'exec xcrun simctl bootstatus "$2" -b', folder, udid),
    install('Install', 'exec xcrun simctl install "$2" app/*.app', folder, udid),
    shell('Start', start, folder, udid),
  ]
}

export function iosDeviceSteps(file: string, udid: string, folder: JobFolder): Step[] {
  const start = [
    `bundle=$(unzip -p "$3" 'Payload/*.app/Info.plist' | plutil -extract CFBundleIdentifier raw -) || exit 1`,
    note,
    'exec xcrun devicectl device process launch --device "$2" "$bundle"',
  ].join('\n')
  return [
    install('Install', 'exec xcrun devicectl device install app --device "$2" "$3"', folder, udid, file),
    shell('Start', start, folder, udid, file),
  ]
}
