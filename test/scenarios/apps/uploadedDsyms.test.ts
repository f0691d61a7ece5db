/** The whole way of debug symbols: an app that clang builds, the stock upload client as the server hands it out, and a crash that waits for them. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { reportOf } from '../../kit/program/objects/crashes.ts'
import { buildApp } from '../../kit/program/objects/dsymFixtures.ts'
import { infoPlist } from '../../kit/program/objects/dsymZips.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let client: string
let build: string
let uuid: string

before(async () => {
  stage = await startTestProgram()
  client = join(stage.folder, 'signalbox-dsym.mjs')
  const answer = await fetch(`${stage.url}/api/public/dsym/signalbox-dsym.mjs`)
  writeFileSync(client, await answer.text())
  build = join(stage.folder, 'build')
  const { symbols } = buildApp(join(stage.folder, 'compiled'), { arch: 'arm64', dwarfVersion: 5 })
  const shop = join(build, 'Products', 'Shop.app.dSYM', 'Contents')
  mkdirSync(join(shop, 'Resources', 'DWARF'), { recursive: true })
  cpSync(symbols, join(shop, 'Resources', 'DWARF', 'Shop'))
  writeFileSync(join(shop, 'Info.plist'), infoPlist('org.example.built', '2.1', '210'))
  uuid =
    /UUID: ([0-9A-F-]{36})/.exec(execFileSync('llvm-dwarfdump-19', ['--uuid', symbols], { encoding: 'utf8' }))?.[1] ??
    ''
})
after(() => stage?.end())

interface Ended {
  readonly code: number | null
  readonly output: string
}

async function upload(own: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const summary = join(stage.folder, 'summary.md')
  const env = {
    ...{ PATH: dirname(process.execPath), SIGNALBOX_SERVER: stage.url, SIGNALBOX_API_KEY: stage.key },
    ...{ GITHUB_STEP_SUMMARY: summary, CI: 'true' },
    ...own,
  }
  const child = spawn(process.execPath, [client, 'upload', build], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, problems, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { code, output: out + problems }
}

test('a crash report waits for the symbols that a CI step uploads later', async () => {
  const sent = await fetch(`${stage.url}/api/public/crash-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': stage.key },
    body: JSON.stringify(reportOf('org.example.built', [uuid])),
  })
  const { id } = (await sent.json()) as { readonly id: string }
  const read = async () =>
    (
      await stage.ask<{ crashReport: { status: string; missingUuids: readonly string[] } }>(
        'query ($id: ID!) { crashReport(id: $id) { status missingUuids } }',
        { id },
      )
    ).crashReport
  assert.deepEqual(await read(), { status: 'WAITING_FOR_SYMBOLS', missingUuids: [uuid] })

  const first = await upload()
  assert.equal(first.code, 0, first.output)
  assert.ok(first.output.includes(uuid), first.output)
  assert.ok(readFileSync(join(stage.folder, 'summary.md'), 'utf8').includes(uuid))
  await until('the report to find its symbols', async () =>
    (await read()).missingUuids.length === 0 ? true : undefined,
  )
  const { dsyms } = await stage.ask<{ dsyms: { nodes: readonly object[] } }>(
    '{ dsyms { nodes { name bundleIdentifier version build app { name status } images { uuid arch } } } }',
  )
  assert.deepEqual(dsyms.nodes, [
    {
      ...{ name: 'Shop.app', bundleIdentifier: 'org.example.built', version: '2.1', build: '210' },
      app: { name: 'built', status: 'ACTIVE' },
      images: [{ uuid, arch: 'arm64' }],
    },
  ])
})

test('the same build is not sent a second time', async () => {
  const again = await upload()
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /the server has it already/)
  assert.ok(again.output.includes(uuid), again.output)
})

test('a wrong key fails the step, and is not printed', async () => {
  const { code, output } = await upload({ SIGNALBOX_API_KEY: 'svc_wrong_key_of_a_test' })
  assert.equal(code, 1, output)
  assert.ok(!output.includes('svc_wrong_key_of_a_test'), output)
  assert.match(output, /key/i)
})
