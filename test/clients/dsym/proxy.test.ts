/** In a company network, the client reaches the server through the proxy of the environment. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { localhostTls } from '../../kit/program/servers/localhostTls.ts'
import { startTinyproxy } from '../../kit/program/servers/tinyproxy.ts'
import { makeBundle, temporaryFolder } from './kit/bundles.ts'
import { findNodes, startClient, writeClient } from './kit/client.ts'
import { startDsymServer } from './kit/dsymServer.ts'

/** Uploads a dSYM to a server. */
async function upload(
  t: TestContext,
  server: string,
  environment: Readonly<Record<string, string>>,
  node = process.execPath,
) {
  const [folder, zips] = [temporaryFolder(t), temporaryFolder(t)]
  makeBundle(folder, 'App.dSYM')
  const client = startClient({
    ...{ node, program: await writeClient(zips), folder, environment },
    arguments: ['upload', '--server', server, '--temp-dir', zips, '--max-attempts', '1', '**/*.dSYM'],
  })
  const { code } = await client.ended
  return { code, output: client.stdout() + client.stderr() }
}

/** The server behind TLS, with a certificate of `localhost`. */
async function serveTls(t: TestContext, target: string) {
  const tls = localhostTls()
  const files = { key: readFileSync(tls.key), cert: readFileSync(tls.certificate) }
  const front = createServer(files, (message, response) => {
    const { method = '', headers } = message
    const behind = request(new URL(message.url ?? '', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    behind.on('error', () => response.destroy())
    message.pipe(behind)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    front.closeAllConnections()
    front.close()
    tls.remove()
  })
  return { url: `https://localhost:${(front.address() as AddressInfo).port}`, authority: tls.authority }
}

for (const { path, version } of findNodes()) {
  test(`Node ${version} sends all requests through the proxy, to a server with TLS and to one without`, async (t) => {
    const [server, proxy] = [await startDsymServer(), await startTinyproxy()]
    t.after(() => Promise.all([server.stop(), proxy.stop()]))
    const plain = await upload(t, server.url, { HTTP_PROXY: `http://${proxy.address}` }, path)
    assert.equal(plain.code, 0, plain.output)
    assert.equal(proxy.requests().length, server.requests.length)
    assert.ok(proxy.requests().every((line) => line.includes(` ${server.url}/api/dsyms/uploads`)))

    const tls = await serveTls(t, server.url)
    const environment = { https_proxy: `http://${proxy.address}`, NODE_EXTRA_CA_CERTS: tls.authority }
    const before = server.requests.length
    const secure = await upload(t, tls.url, environment, path)
    assert.equal(secure.code, 0, secure.output)
    assert.ok(server.requests.length > before)
    const tunnels = proxy.requests().filter((line) => line.startsWith('CONNECT '))
    assert.deepEqual([...new Set(tunnels)], [`CONNECT ${new URL(tls.url).host} HTTP/1.1`])
    assert.equal(tunnels.length, 1, 'a connection is kept')
  })
}

test('NO_PROXY exempts a server', async (t) => {
  const [server, proxy] = [await startDsymServer(), await startTinyproxy()]
  t.after(() => Promise.all([server.stop(), proxy.stop()]))
  const environment = { HTTP_PROXY: `http://${proxy.address}`, NO_PROXY: 'localhost,127.0.0.1' }
  const { code, output } = await upload(t, server.url, environment)
  assert.deepEqual([code, proxy.requests()], [0, []], output)
})

test('a proxy gets its password, and without it the client fails at once and states what to do', async (t) => {
  const [server, proxy] = [await startDsymServer(), await startTinyproxy('builder passw0rd')]
  t.after(() => Promise.all([server.stop(), proxy.stop()]))
  const tls = await serveTls(t, server.url)
  const through = (address: string, url: string) =>
    upload(t, url, { HTTPS_PROXY: address, HTTP_PROXY: address, NODE_EXTRA_CA_CERTS: tls.authority })
  for (const url of [server.url, tls.url]) {
    const known = await through(`http://builder:passw0rd@${proxy.address}`, url)
    assert.equal(known.code, 0, known.output)
    const sent = server.requests.length
    const unknown = await through(`http://${proxy.address}`, url)
    assert.equal(unknown.code, 1)
    assert.match(unknown.output, /The proxy asks for a user and a password \(status 407\)\. Put them into HTTPS_PROXY/)
    // Tinyproxy answers a wrong password with 401, as if it were the server.
    const wrong = await through(`http://builder:wr0ng@${proxy.address}`, url)
    assert.equal(wrong.code, 1)
    assert.match(wrong.output, /refused before it reached Signalbox \(status 401, answered by "tinyproxy/)
    assert.ok(!wrong.output.includes('wr0ng'), wrong.output)
    assert.equal(server.requests.length, sent, 'nothing reaches the server')
  }
})

test('a proxy that does not answer, and one with a wrong address, are named', async (t) => {
  const server = await startDsymServer()
  t.after(() => server.stop())
  const gone = await upload(t, server.url, { HTTP_PROXY: 'http://builder:passw0rd@127.0.0.1:9' })
  assert.equal(gone.code, 1)
  assert.match(gone.output, /the proxy http:\/\/127\.0\.0\.1:9 refuses connections \(ECONNREFUSED\)/)
  const other = await upload(t, server.url, { HTTP_PROXY: 'socks5://builder:passw0rd@127.0.0.1:9' })
  assert.equal(other.code, 1)
  assert.match(
    other.output,
    /The proxy socks5:\/\/127\.0\.0\.1:9 is not usable\. Set HTTPS_PROXY or HTTP_PROXY to an address/,
  )
  for (const { output } of [gone, other]) assert.ok(!output.includes('passw0rd'), output)
})
