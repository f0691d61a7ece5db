/** Prepares Chromium before the first test: finds one, or downloads one into the project's cache folder. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cacheFolder, findChromium } from '../kit/browser/chromium.ts'

export interface BrowserSetup {
  /** The path of a Chromium, `undefined` if there is none. Throws if CHROMIUM_PATH is wrong. */
  find(): string | undefined
  /** Returns why it failed, `undefined` if it did not. */
  download(): string | undefined
  /** Starts the browser. Returns why it does not start, `undefined` if it does. */
  start(path: string): string | undefined
  /** Installs the system libraries that a downloaded Chromium loads. `undefined` if this user cannot. Returns like `download`. */
  readonly installLibraries: (() => string | undefined) | undefined
  log(line: string): void
}

/** The advice if nothing else helps. */
const remedy = 'Install one (`apt-get install chromium`), or set CHROMIUM_PATH to a Chromium or Chrome.'

/** Returns the path. Throws an error of one line that names the command to run. A browser that is found is not started here. */
export function prepareChromium(setup: BrowserSetup): string {
  const found = setup.find()
  if (found !== undefined) return found
  setup.log('No Chromium found. Downloading one into .cache/ for the tests of the pages.')
  const failure = setup.download()
  if (failure !== undefined) throw new Error(`Chromium could not be downloaded: ${firstLine(failure)}. ${remedy}`)
  const path = setup.find()
  if (path === undefined) throw new Error(`The download of Chromium left no program in .cache/. ${remedy}`)
  let problem = setup.start(path)
  if (problem !== undefined && setup.installLibraries !== undefined) {
    setup.log('The downloaded Chromium lacks system libraries. Installing them with apt-get.')
    const left = setup.installLibraries()
    problem = left === undefined ? setup.start(path) : left
  }
  if (problem !== undefined) throw new Error(`The downloaded Chromium does not start: ${firstLine(problem)}. ${remedy}`)
  return path
}

/** The message of the error, if there is one in the output, without its stack. */
function firstLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const line = lines.find((one) => /error/i.test(one)) ?? lines.find((one) => one !== '') ?? 'no output'
  return line.replace(/^Error: /, '').replace(/\.$/, '')
}

/** The setup of the real machine. */
export function browserSetup(root: string): BrowserSetup {
  const playwright = (...args: readonly string[]): string | undefined =>
    run(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), ...args], {
      PLAYWRIGHT_BROWSERS_PATH: cacheFolder,
    })
  const isRootOnDebian =
    process.platform === 'linux' && process.getuid?.() === 0 && run('apt-get', ['--version']) === undefined
  return {
    find: () => findChromium(),
    download: () => playwright('install', 'chromium-headless-shell'),
    start: (path) => run(path, ['--version']),
    installLibraries: isRootOnDebian ? () => playwright('install-deps', 'chromium-headless-shell') : undefined,
    log: (line) => console.log(line),
  }
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { env: { ...process.env, ...env }, encoding: 'utf8' })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : stderr || `${command} ended with ${status}`
}
