/** The browser that the tests of the pages use, and the errors if there is none. */
import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findChromium } from '../kit/browser/chromium.ts'
import { type BrowserSetup, prepareChromium } from './browser.ts'
import { missingPrograms, needsBrowser } from './requirements.ts'

const root = resolve(import.meta.dirname, '../..')

function temporaryFolder(t: TestContext, files: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-browser-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  return folder
}

test('CHROMIUM_PATH is used before all others, and an error names it if the file does not exist', (t) => {
  const folder = temporaryFolder(t, ['mine', 'bin/chromium'])
  const env = { PATH: join(folder, 'bin'), CHROMIUM_PATH: join(folder, 'mine') }
  assert.equal(findChromium({ env, applications: [], cache: folder }), join(folder, 'mine'))
  const wrong = { ...env, CHROMIUM_PATH: '/nowhere/chromium' }
  assert.throws(
    () => findChromium({ env: wrong, applications: [], cache: folder }),
    /CHROMIUM_PATH names \/nowhere\/chromium/,
  )
})

test('a Chromium on the PATH is found, and none on an empty PATH', (t) => {
  const folder = temporaryFolder(t, ['bin/google-chrome'])
  const places = { applications: [], cache: join(folder, 'cache') }
  assert.equal(findChromium({ ...places, env: { PATH: `/nowhere:${folder}/bin` } }), join(folder, 'bin/google-chrome'))
  assert.equal(findChromium({ ...places, env: { PATH: '' } }), undefined)
  assert.equal(findChromium({ ...places, env: {} }), undefined)
})

test('the shell without a window is preferred to a whole Chromium', (t) => {
  const folder = temporaryFolder(t, ['a/chromium', 'b/chromium-headless-shell'])
  const places = { applications: [], cache: join(folder, 'cache') }
  const PATH = `${folder}/a:${folder}/b`
  assert.equal(findChromium({ ...places, env: { PATH } }), join(folder, 'b/chromium-headless-shell'))
})

test('the newest complete download is found, and an incomplete one is not', (t) => {
  const program = (revision: number) =>
    `chromium_headless_shell-${revision}/chrome-headless-shell-linux64/chrome-headless-shell`
  const files = [9, 10, 11].map(program)
  const complete = [9, 10].map((revision) => `chromium_headless_shell-${revision}/INSTALLATION_COMPLETE`)
  const cache = temporaryFolder(t, [...files, ...complete])
  assert.equal(findChromium({ env: {}, applications: [], cache }), join(cache, program(10)))
})

/** A machine on which a download succeeds and the browser starts, unless a test overrides it. */
function fakeSetup(changes: Partial<BrowserSetup> = {}) {
  const calls: string[] = []
  let path: string | undefined
  const setup: BrowserSetup = {
    find: () => path,
    download: () => {
      path = '/cache/chromium'
      return undefined
    },
    start: () => undefined,
    installLibraries: undefined,
    log: () => {},
    ...changes,
  }
  const note =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls.push(name)
      return call(...args)
    }
  const { find, download, start, installLibraries } = setup
  return {
    calls,
    setup: {
      ...setup,
      find,
      download: note('download', download),
      start: note('start', start),
      installLibraries: installLibraries && note('installLibraries', installLibraries),
    },
  }
}

/** One line, which names the command to run. */
const remedy = /^[^\n]*`apt-get install chromium`[^\n]*CHROMIUM_PATH[^\n]*$/

test('nothing is downloaded if a browser is found', () => {
  const { setup, calls } = fakeSetup({ find: () => '/usr/bin/chromium' })
  assert.equal(prepareChromium(setup), '/usr/bin/chromium')
  assert.deepEqual(calls, [])
})

test('a browser is downloaded once if none is found', () => {
  const { setup, calls } = fakeSetup()
  assert.equal(prepareChromium(setup), '/cache/chromium')
  assert.equal(prepareChromium(setup), '/cache/chromium')
  assert.deepEqual(calls, ['download', 'start'])
})

test('a failed download is an error of one line with the reason and the remedy', () => {
  const output = 'Downloading Chromium\nError: getaddrinfo ENOTFOUND cdn.playwright.dev\n    at somewhere\n'
  const { setup, calls } = fakeSetup({ download: () => output })
  assert.throws(
    () => prepareChromium(setup),
    (error: Error) => {
      assert.match(error.message, remedy)
      assert.match(error.message, /could not be downloaded: getaddrinfo ENOTFOUND cdn\.playwright\.dev\. /)
      return true
    },
  )
  assert.deepEqual(calls, ['download'])
})

test('a download that leaves no program is an error', () => {
  const { setup } = fakeSetup({ download: () => undefined })
  assert.throws(() => prepareChromium(setup), remedy)
})

test('a browser that lacks libraries gets them if this user can install them', () => {
  let installed = false
  const { setup, calls } = fakeSetup({
    start: () => (installed ? undefined : 'error while loading shared libraries: libnss3.so'),
    installLibraries: () => {
      installed = true
      return undefined
    },
  })
  assert.equal(prepareChromium(setup), '/cache/chromium')
  assert.deepEqual(calls, ['download', 'start', 'installLibraries', 'start'])
})

test('a browser that does not start is an error of one line with the remedy', () => {
  const problem = '/cache/chromium: error while loading shared libraries: libnss3.so: cannot open'
  for (const installLibraries of [undefined, () => undefined, () => 'E: no internet']) {
    const { setup } = fakeSetup({ start: () => problem, installLibraries })
    assert.throws(() => prepareChromium(setup), remedy)
  }
})

test('files that need a missing program are named', () => {
  const texts: Readonly<Record<string, string>> = {
    'a.test.ts': 'await runExamples(path)',
    'b.test.ts': "execFileSync('openssl', options)",
    'c.test.ts': 'nothing',
    'd.test.ts': "import { qwen } from './clis.ts'",
  }
  const missing = missingPrograms(
    Object.keys(texts),
    (file) => texts[file] ?? '',
    (program, path) => program !== 'openssl' && path === undefined,
  )
  assert.deepEqual(missing, [
    { program: 'openssl', install: 'apt-get install openssl', files: ['b.test.ts'] },
    {
      program: 'the stock coding CLIs',
      install: 'npm ci --prefix test/stockClis/packages --ignore-scripts',
      files: ['d.test.ts'],
    },
  ])
})

test('a browser is prepared for every test file that opens one', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
  const opening = files.filter((file) =>
    /import \{[^}]*\bopenChromium\b|\/atConsole\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.ok(opening.length > 5)
  assert.deepEqual(
    opening.filter((file) => !needsBrowser([file])),
    [],
  )
})
