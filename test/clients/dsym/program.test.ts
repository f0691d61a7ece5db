/** The bundled client as CI steps run it: one file, on Node 20 and on the Node of the project. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bundleDsymClient } from '../../../clients/dsym/bundle.ts'
import { makeBundle, put, temporaryFolder } from './kit/bundles.ts'
import { type ClientProcess, type ClientRequest, findNodes, startClient, writeClient } from './kit/client.ts'
import { apiKey, type DsymServer, type Fault, json, refuse, sampleDsym, startDsymServer } from './kit/dsymServer.ts'
import { goldenSha256, makeSamples } from './kit/samples.ts'

interface World {
  readonly server: DsymServer
  /** The working folder. */
  readonly folder: string
  /** The folder for zips. */
  readonly zips: string
  run(
    paths: readonly string[],
    request?: Partial<ClientRequest>,
  ): Promise<ClientProcess & { readonly code: number | null }>
}

async function openWorld(t: TestContext, fault?: Fault): Promise<World> {
  const server = await startDsymServer(fault)
  t.after(() => server.stop())
  const [folder, zips] = [temporaryFolder(t), temporaryFolder(t)]
  const program = await writeClient(zips)
  const temporary = join(zips, 'temporary')
  mkdirSync(temporary)
  return {
    server,
    folder,
    zips: temporary,
    run: async (paths, request = {}) => {
      const client = startClient({
        program,
        folder,
        arguments: ['upload', '--server', server.url, '--temp-dir', temporary, ...paths],
        ...request,
      })
      return { ...client, code: (await client.ended).code }
    },
  }
}

test('the program is one file with a hash, and imports only modules of Node', async () => {
  const { filename, source, sha256 } = await bundleDsymClient()
  assert.equal(filename, 'signalbox-dsym.mjs')
  assert.equal(sha256, createHash('sha256').update(source).digest('hex'))
  const imports = [...source.matchAll(/\bfrom ?"([^"]+)"|\brequire\("([^"]+)"\)/g)].map(([, a, b]) => a ?? b ?? '')
  assert.ok(imports.length > 5)
  assert.deepEqual(
    imports.filter((name) => !isBuiltin(name)),
    [],
  )
})

const nodes = findNodes()
for (const { path, version } of nodes)
  test(`on Node ${version} the zip is the same, and is sent in chunks`, async (t) => {
    const { server, folder, zips, run } = await openWorld(t)
    makeSamples(folder)
    const client = await run(['**/*.dSYM', '--chunk-size', '1000000'], { node: path })
    assert.equal(client.code, 0, client.stdout() + client.stderr())
    const [upload] = server.uploads
    assert.equal(upload?.sha256, goldenSha256)
    assert.deepEqual([upload?.filename, upload?.status, upload?.size], ['dSYMs.zip', 'INDEXED', upload?.bytes.length])
    assert.equal(server.largestChunk, 1_000_000)
    assert.match(client.stdout(), /0A1B2C3D-0000-1111-2222-333344445555 {2}arm64 +App {2}1\.2 \(34\)/)
    assert.match(client.stdout(), /3 crash reports are symbolicated/)
    assert.match(client.stderr(), /^warning: [^\n]*other\/App\.dSYM\/Contents\/Info\.plist is left out: [^\n]*\n$/)
    assert.deepEqual(readdirSync(zips), [])
    const again = await run(['**/*.dSYM'], { node: path })
    assert.equal(again.code, 0)
    assert.equal(server.bytesReceived, upload?.size)
  })

const hasNode20 = nodes.some(({ version }) => version.startsWith('v20.'))
test('the machine has a Node 20', { skip: hasNode20 ? false : 'no Node 20 is on the PATH' }, () => {
  assert.ok(hasNode20)
})

test('a zip is sent unchanged under its name', async (t) => {
  const { server, folder, run } = await openWorld(t)
  put(join(folder, 'a/Symbols.zip'), 'these bytes')
  const client = await run(['a/*.zip'])
  assert.equal(client.code, 0, client.stdout() + client.stderr())
  assert.deepEqual([server.uploads[0]?.filename, server.uploads[0]?.bytes.toString()], ['Symbols.zip', 'these bytes'])
})

test('a failed zip does not stop the others, and the exit code is 1', async (t) => {
  const { server, folder, zips, run } = await openWorld(t, ({ name }, response, count) => {
    if (name !== 'POST /{id}/complete' || count !== 1) return false
    refuse(response, 422, 'CHECKSUM_MISMATCH', 'It differs.')
    return true
  })
  makeBundle(folder, 'App.dSYM')
  put(join(folder, 'b.zip'), 'these bytes')
  const client = await run(['*.dSYM', '*.zip'])
  assert.equal(client.code, 1)
  assert.deepEqual(
    server.uploads.map(({ filename, status }) => [filename, status]),
    [
      ['dSYMs.zip', 'DELETED'],
      ['b.zip', 'INDEXED'],
    ],
  )
  assert.match(client.stderr(), /error: dSYMs\.zip: .*SHA-256 differs/)
  assert.match(client.stderr(), /error: 1 of 2 zips were not uploaded/)
  assert.deepEqual(readdirSync(zips), [])
})

test('if no dSYM is found, the client warns or prints nothing, and never fails', async (t) => {
  const { server, folder, run } = await openWorld(t)
  makeBundle(folder, 'Empty.dSYM', { files: {} })
  const warned = await run(['*.dSYM'])
  assert.deepEqual([warned.code, /warning: No dSYM was found/.test(warned.stderr())], [0, true])
  const ignored = await run(['none', '--if-no-files-found', 'ignore'])
  assert.deepEqual([ignored.code, ignored.stderr()], [0, ''])
  assert.deepEqual(server.requests, [])
})

test('on GitHub, secrets are masked everywhere, names are not taken for commands, and the summary is a table', async (t) => {
  const hostile = '::set-output name=a::b|<script>`*[x](https://evil.example)@ada\u202e\n::error::forged'
  const secret = 'cf-token-0123456789'
  const { folder, run } = await openWorld(t, ({ name }, response) => {
    if (name !== 'POST /{id}/complete') return false
    json(response, 200, {
      id: 'dup_1',
      status: 'INDEXED',
      dsyms: [{ ...sampleDsym, name: hostile, version: secret }],
      warnings: [{ code: 'NOT_MACH_O', bundle: 'App.dSYM', message: `100% ${apiKey} ${secret} ${hostile}` }],
      crashesToSymbolicate: 0,
    })
    return true
  })
  makeBundle(folder, 'App.dSYM')
  const summary = join(folder, 'summary.md')
  const environment = {
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    GITHUB_STEP_SUMMARY: summary,
    SIGNALBOX_HEADERS: `CF-Access-Client-Secret: ${secret}\nAuthorization: Bearer 0123456789abcdef`,
  }
  const client = await run(['App.dSYM'], { environment })
  assert.equal(client.code, 0, client.stdout() + client.stderr())
  const lines = client.stdout().trimEnd().split('\n')
  const masks = lines.filter((line) => line.startsWith('::add-mask::'))
  assert.deepEqual(masks.sort(), [
    '::add-mask::0123456789abcdef',
    '::add-mask::Bearer 0123456789abcdef',
    `::add-mask::${secret}`,
    `::add-mask::${apiKey}`,
  ])
  assert.deepEqual(lines.slice(0, masks.length).sort(), masks, 'masks are first')
  const rest = lines.slice(masks.length).join('\n')
  const markdown = readFileSync(summary, 'utf8')
  for (const text of [rest, markdown])
    for (const hidden of [secret, apiKey, '0123456789abcdef', '\u202e']) assert.ok(!text.includes(hidden), hidden)
  assert.match(rest, /^::warning::dSYMs\.zip: App\.dSYM: 100%25 \*\*\* \*\*\*/m)
  assert.deepEqual(rest.match(/^::(?!warning::dSYMs)/gm), null)
  assert.match(markdown, /\| dSYM \| version \| architecture \| UUID \|/)
  const row = markdown.split('\n').find((line) => line.includes(sampleDsym.images[0]?.uuid ?? ''))
  assert.equal(row?.match(/\|/g)?.length, 5)
  assert.doesNotMatch(row ?? '', /[<>`*[\]@]|https:/)
})

test('a redirect is not followed, so that the API key is not sent to another server', async (t) => {
  const other = await startDsymServer()
  t.after(() => other.stop())
  const { folder, run } = await openWorld(t, (_request, response) => {
    response.writeHead(307, { location: `${other.url}/api/dsyms/uploads` }).end()
    return true
  })
  makeBundle(folder, 'App.dSYM')
  const client = await run(['App.dSYM'])
  assert.equal(client.code, 1)
  assert.match(client.stderr(), /redirected \(status 307.*service token/)
  assert.deepEqual(other.requests, [])
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} while a chunk is sent deletes the upload and the zip within 7 seconds`, async (t) => {
    const { promise: chunk, resolve } = Promise.withResolvers<void>()
    const { server, folder, zips } = await openWorld(t, ({ name }) => {
      if (name !== 'PATCH /{id}') return false
      resolve()
      return true
    })
    makeBundle(folder, 'App.dSYM')
    const client = startClient({
      program: await writeClient(folder),
      folder,
      arguments: ['upload', '--server', server.url, '--temp-dir', zips, 'App.dSYM'],
    })
    t.after(() => client.kill('SIGKILL'))
    await chunk
    assert.equal(readdirSync(zips).length, 1)
    const start = performance.now()
    client.kill(signal)
    assert.deepEqual(await client.ended, { code: signal === 'SIGINT' ? 130 : 143, signal: null })
    assert.ok(performance.now() - start < 7_000)
    assert.equal(server.uploads[0]?.status, 'DELETED')
    assert.deepEqual(readdirSync(zips), [])
  })

test('wrong use has the exit code 2 and a message', async (t) => {
  const { run } = await openWorld(t)
  const client = await run(['x', '--chunk-size', '16777217'])
  assert.equal(client.code, 2)
  assert.match(
    client.stderr(),
    /^signalbox dsym upload: --chunk-size \(SIGNALBOX_CHUNK_SIZE\) is "16777217"\. It must be/,
  )
})
