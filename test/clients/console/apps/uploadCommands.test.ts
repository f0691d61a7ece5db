/** The commands that the pages give, as a POSIX shell and the upload client read them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  createDownloadCommand,
  createReportCommand,
  createUploadByUuidCommand,
  createUploadCommand,
} from '../../../../clients/console/app/apps/uploadCommands.ts'
import { readOptions } from '../../../../clients/dsym/options.ts'

const server = 'https://signalbox.example:8443'
const uuids = ['0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0', 'A1B2C3D4-E5F6-4789-8A9B-0C1D2E3F4A5B']
let folder: string

/** Programs that print what they are given, in place of those that the commands start. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sb-commands-'))
  const programs = {
    node: '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done\n',
    curl: '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done\n',
    mdfind: `#!/bin/sh\nprintf "%s" "$*" > "${folder}/query"\nprintf "/Archives/Shop 1, 10.00.xcarchive\\n/Archives/[old].dSYM\\n"\n`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
})
after(() => rmSync(folder, { recursive: true }))

/** Runs a command in a shell. @returns the words that its program was given */
function run(command: string): readonly string[] {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, SIGNALBOX_API_KEY: 'svc_key' }
  const output = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', cwd: folder, env })
  return output.split('\0').slice(0, -1)
}

function readUpload(command: string) {
  const [program, ...args] = run(command)
  assert.equal(program, 'signalbox-dsym.mjs')
  const options = readOptions(args, { SIGNALBOX_API_KEY: 'svc_key' })
  assert.ok(typeof options === 'object')
  return { server: options.access.server, paths: options.paths.included }
}

test('the client uploads the dSYMs in the folder of a build, and the shell leaves the pattern to the client', () => {
  assert.deepEqual(readUpload(createUploadCommand(server)), { server, paths: ['build/**/*.dSYM'] })
})

test('the client uploads the paths that Spotlight finds by the UUIDs, one in a line, with spaces and brackets', () => {
  assert.deepEqual(readUpload(createUploadByUuidCommand(server, uuids)), {
    server,
    paths: ['/Archives/Shop 1, 10.00.xcarchive', '/Archives/[old].dSYM'],
  })
  const query = execFileSync('cat', [join(folder, 'query')], { encoding: 'utf8' })
  assert.equal(query, uuids.map((uuid) => `com_apple_xcode_dsym_uuids == ${uuid}`).join(' || '))
})

test('the client is downloaded from the server to the name that the upload uses', () => {
  assert.deepEqual(run(createDownloadCommand(server)), [
    ...['-fsS', `${server}/api/public/dsym/signalbox-dsym.mjs`, '-o', 'signalbox-dsym.mjs'],
  ])
})

test('a crash report is sent with the API key of the environment', () => {
  const words = run(createReportCommand(server))
  assert.ok(words.includes(`${server}/api/public/crash-reports`))
  assert.ok(words.includes('X-API-Key: svc_key'))
  assert.deepEqual(words.slice(-2), ['--data-binary', '@crash.ips'])
})
