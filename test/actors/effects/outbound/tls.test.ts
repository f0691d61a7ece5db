/** TLS to the checked address, under the name of the URL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { cert } from './certificate.ts'
import { client, failure, problem, redirects, says, serve } from './servers.ts'

const trusted = (t: { after(end: () => void): void }) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  t.after(() => setDefaultCACertificates(before))
}

test('TLS requests the host name of the URL and checks its certificate, and the Host header has the same name', async (t) => {
  trusted(t)
  const { port, seen } = await serve(t, says('safe'), { secure: true })
  const answer = await client().fetch(`https://here.example.:${port}/`)
  assert.equal(await answer.text(), 'safe')
  assert.deepEqual([seen[0]?.servername, seen[0]?.headers.host], ['here.example', `here.example:${port}`])
})

test('a certificate for another name, or from an untrusted issuer, is UNTRUSTED', async (t) => {
  const { port, seen } = await serve(t, says('not safe'), { secure: true })
  const unknown = await failure(client().fetch(`https://here.example:${port}/`))
  assert.deepEqual([unknown.problem, /DEPTH_ZERO|SELF_SIGNED/.test(unknown.message)], ['UNTRUSTED', true])
  trusted(t)
  const other = await failure(client().fetch(`https://there.example:${port}/`))
  assert.deepEqual(other, {
    problem: 'UNTRUSTED',
    message: "there.example can't be trusted by its TLS (ERR_TLS_CERT_ALTNAME_INVALID).",
  })
  assert.equal(await problem(client({}, '127.0.0.1').fetch(`https://127.0.0.1:${port}/`)), 'UNTRUSTED')
  assert.deepEqual(seen, [])
})

test('a plain HTTP answer to a TLS request is UNTRUSTED', async (t) => {
  const { port } = await serve(t, says('plain'))
  assert.equal(await problem(client().fetch(`https://here.example:${port}/`)), 'UNTRUSTED')
})

test('a redirect from https to http is refused, and one from http to https is followed without credentials', async (t) => {
  trusted(t)
  const plain = await serve(t, (_request, response) => {
    response.writeHead(302, { location: `https://here.example:${safe.port}/there` }).end()
  })
  const safe = await serve(t, redirects({ '/': [302, `http://here.example:${plain.port}/`] }), { secure: true })
  assert.equal(await problem(client().fetch(`https://here.example:${safe.port}/`)), 'FORBIDDEN_REDIRECT')
  assert.deepEqual(plain.seen, [])
  const headers = { authorization: 'Bearer hush' }
  const answer = await client().fetch(`http://here.example:${plain.port}/`, { headers })
  assert.equal(await answer.text(), 'here is /there')
  assert.equal(safe.seen.at(-1)?.headers.authorization, undefined)
})
