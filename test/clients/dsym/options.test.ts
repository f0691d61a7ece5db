/** Options of the command line and the environment, and the sentences about wrong ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { help } from '../../../clients/dsym/help.ts'
import { readOptions } from '../../../clients/dsym/options.ts'

const environment = { SIGNALBOX_API_KEY: 'svc_key', SIGNALBOX_SERVER: 'https://signalbox.example' }

function read(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = readOptions(args, { ...environment, ...env })
  assert.ok(typeof options === 'object')
  return options
}

test('the command line replaces the environment, and paths of both are used', () => {
  const options = read(
    ['dsym', 'upload', 'a.dSYM', '--dsym-paths', 'b\n!c', '--chunk-size=5', '--header', 'X-A: 1 2'],
    {
      SIGNALBOX_DSYM_PATHS: 'd\n',
      SIGNALBOX_CHUNK_SIZE: '7',
      SIGNALBOX_HEADERS: 'X-A: 0\n\n X-B:3',
      SIGNALBOX_IF_NO_FILES_FOUND: 'ignore',
      RUNNER_TEMP: '/runner',
    },
  )
  assert.deepEqual(options.paths, { included: ['a.dSYM', 'b', 'd'], excluded: ['c'] })
  assert.deepEqual(options.access.headers, { 'x-a': '1 2', 'x-b': '3' })
  assert.deepEqual(
    [options.chunkSize, options.ifNoFilesFound, options.temporaryFolder, options.maxAttempts],
    [5, 'ignore', '/runner', 10],
  )
})

test('options that are not set have their defaults', () => {
  const options = read(['upload', 'a'])
  assert.deepEqual([options.chunkSize, options.idleMs, options.completionMs], [16_777_216, 60_000, 3_600_000])
  assert.equal(options.ifNoFilesFound, 'warn')
  assert.equal(read(['upload', 'a', '--server', 'https://x.example/base/']).access.server, 'https://x.example/base')
})

interface Case {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly message: RegExp
}

const wrong: readonly Case[] = [
  { args: [], message: /The command is missing\. It must be upload/ },
  { args: ['download'], message: /The command is "download"\. It must be upload/ },
  { args: ['upload'], message: /No path is given.*dsym_paths/ },
  { args: ['upload', '!a'], message: /A line that begins with ! only excludes/ },
  { args: ['upload', 'a', '--nothing'], message: /Unknown option '--nothing'\. --help lists the options/ },
  { args: ['upload', 'a', '--api-key', 'svc_x'], message: /--api-key is not an option.*Set SIGNALBOX_API_KEY/ },
  { env: { SIGNALBOX_API_KEY: '' }, message: /SIGNALBOX_API_KEY is missing/ },
  { env: { SIGNALBOX_API_KEY: 'agent_x' }, message: /must begin with svc_/ },
  { env: { SIGNALBOX_SERVER: '' }, message: /--server \(SIGNALBOX_SERVER\) is missing/ },
  { env: { SIGNALBOX_SERVER: 'signalbox.example' }, message: /must begin with https:/ },
  { env: { SIGNALBOX_SERVER: 'https://ada:pass@signalbox.example' }, message: /no user and no password/ },
  ...['0', '-1', '1.5', '16777217', '16M'].map((text) => ({
    env: { SIGNALBOX_CHUNK_SIZE: text },
    message: /--chunk-size \(SIGNALBOX_CHUNK_SIZE\) is ".*"\. It must be a whole number of bytes from 1 to 16777216/,
  })),
  { env: { SIGNALBOX_IF_NO_FILES_FOUND: 'error' }, message: /is "error"\. It must be warn or ignore/ },
  { env: { SIGNALBOX_COMPLETION_TIMEOUT: '61' }, message: /whole number of minutes from 1 to 60/ },
  { env: { SIGNALBOX_HEADERS: 'X-A: 1\nno header' }, message: /Header 2 of --header.*NAME: VALUE/ },
  { env: { SIGNALBOX_HEADERS: 'X-API-Key: svc_y' }, message: /Header 1 .* is X-API-Key, which the client sets itself/ },
]

for (const { args = ['upload', 'a'], env = {}, message } of wrong)
  test(`wrong: ${JSON.stringify(args)} ${JSON.stringify(env)}`, () => {
    assert.throws(() => readOptions(args, { ...environment, ...env }), message)
  })

test('a message about a header or a server does not show its value', () => {
  for (const env of [{ SIGNALBOX_HEADERS: 'secretvalue' }, { SIGNALBOX_SERVER: 'https://u:secretvalue@x' }])
    assert.throws(
      () => readOptions(['upload', 'a'], { ...environment, ...env }),
      (error: Error) => !error.message.includes('secretvalue'),
    )
})

test('the help has every option, and its lines fit a terminal of 130 columns', () => {
  assert.equal(readOptions(['--help'], {}), 'help')
  assert.equal(readOptions(['--version'], {}), 'version')
  const names =
    'server dsym-paths chunk-size if-no-files-found header temp-dir max-attempts request-timeout completion-timeout'
  for (const name of [...names.split(' '), 'help', 'version']) assert.ok(help.includes(`--${name}`), name)
  for (const line of help.split('\n')) assert.ok(line.length <= 130, line)
})
