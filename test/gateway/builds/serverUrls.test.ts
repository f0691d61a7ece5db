/** The origins at which the server is reached: what it detects, what people set, and what an override never does. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type DetectedServerUrls, detectServerUrls } from '../../../gateway/operations/builds/detectServerUrls.ts'
import {
  resolveDefaultKind,
  resolveServerUrls,
  type ServerUrls,
} from '../../../gateway/operations/builds/resolveServerUrls.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { noServerUrlOverrides, type ServerUrlKind, type ServerUrlOverrides } from '../../../spec/builds/serverUrls.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const address = (value: string, internal = false): NetworkInterfaceInfo => ({
  address: value,
  netmask: '',
  mac: '',
  internal,
  cidr: null,
  ...(value.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
})

const machine = {
  lo: [address('127.0.0.1', true), address('::1', true)],
  eth0: [address('fe80::1'), address('192.168.1.20'), address('2001:db8::20')],
  eth1: [address('169.254.7.7'), address('10.0.0.20')],
}

describe('detection', () => {
  const cases: readonly [words: string, host: string, local: string, lan: readonly string[]][] = [
    ['a listener on this machine only', '127.0.0.1', 'http://localhost:3000', []],
    ['a listener on another loopback address', '127.0.1.1', 'http://localhost:3000', []],
    ['a listener on localhost', 'localhost', 'http://localhost:3000', []],
    ['a listener on the loopback address of IPv6', '::1', 'http://localhost:3000', []],
    [
      'a listener on all IPv4 addresses has those of the networks, without link-local ones',
      '0.0.0.0',
      'http://192.168.1.20:3000',
      ['http://192.168.1.20:3000', 'http://10.0.0.20:3000'],
    ],
    [
      'a listener on all addresses has those of IPv6 too, after IPv4',
      '::',
      'http://192.168.1.20:3000',
      ['http://192.168.1.20:3000', 'http://10.0.0.20:3000', 'http://[2001:db8::20]:3000'],
    ],
    ['a listener on one address', '10.0.0.20', 'http://10.0.0.20:3000', ['http://10.0.0.20:3000']],
    ['a listener on a name', 'box.lan', 'http://box.lan:3000', ['http://box.lan:3000']],
  ]
  for (const [words, host, local, lan] of cases) {
    test(words, () => assert.deepEqual(detectServerUrls({ host, port: 3000 }, machine), { local, remote: null, lan }))
  }

  test('a machine without a network has the local origin localhost', () => {
    const { local, lan } = detectServerUrls({ host: '0.0.0.0', port: 3000 }, { lo: machine.lo })
    assert.deepEqual([local, lan], ['http://localhost:3000', []])
  })

  test('the remote origin is PUBLIC_BASE_URL', () => {
    const facts = { host: '127.0.0.1', port: 3000, publicBaseUrl: 'https://signalbox.example' }
    assert.equal(detectServerUrls(facts, machine).remote, 'https://signalbox.example')
  })

  test('a machine with 40 addresses shows 16', () => {
    const many = { eth0: Array.from({ length: 40 }, (_, index) => address(`10.0.0.${index + 1}`)) }
    assert.equal(detectServerUrls({ host: '0.0.0.0', port: 3000 }, many).lan.length, 16)
  })
})

describe('the origins in use', () => {
  const found: DetectedServerUrls = { local: 'http://10.0.0.1:3000', remote: null, lan: [] }
  const everywhere = { ...found, remote: 'https://public.example' }
  interface Case {
    readonly set?: Partial<ServerUrlOverrides>
    readonly found?: DetectedServerUrls
    readonly forwarded?: string
    readonly urls: ServerUrls
    readonly kind: ServerUrlKind
  }
  const local = found.local
  const cases: Readonly<Record<string, Case>> = {
    'without other facts, the local origin is also the remote one': {
      urls: { local, remote: local, proxy: null },
      kind: 'LOCAL',
    },
    'PUBLIC_BASE_URL is the remote origin': {
      found: everywhere,
      urls: { local, remote: 'https://public.example', proxy: null },
      kind: 'REMOTE',
    },
    'the origin that a proxy reports is also the remote one': {
      forwarded: 'https://proxy.example',
      urls: { local, remote: 'https://proxy.example', proxy: 'https://proxy.example' },
      kind: 'PROXY',
    },
    'a proxy does not replace PUBLIC_BASE_URL': {
      found: everywhere,
      forwarded: 'https://proxy.example',
      urls: { local, remote: 'https://public.example', proxy: 'https://proxy.example' },
      kind: 'PROXY',
    },
    'overrides take precedence over all other origins': {
      set: {
        localUrlOverride: 'http://box.lan',
        remoteUrlOverride: 'https://vpn.example',
        proxyUrlOverride: 'https://set.example',
      },
      found: everywhere,
      forwarded: 'https://proxy.example',
      urls: { local: 'http://box.lan', remote: 'https://vpn.example', proxy: 'https://set.example' },
      kind: 'PROXY',
    },
    'an override of the local origin is also the remote one, if no other remote origin exists': {
      set: { localUrlOverride: 'http://box.lan' },
      urls: { local: 'http://box.lan', remote: 'http://box.lan', proxy: null },
      kind: 'LOCAL',
    },
    'an override of the remote origin makes it the default': {
      set: { remoteUrlOverride: 'https://vpn.example' },
      urls: { local, remote: 'https://vpn.example', proxy: null },
      kind: 'REMOTE',
    },
    'a default kind that is set is used': {
      set: { defaultKind: 'LOCAL' },
      found: everywhere,
      urls: { local, remote: 'https://public.example', proxy: null },
      kind: 'LOCAL',
    },
    'a default of PROXY without a proxy is REMOTE, which always exists': {
      set: { defaultKind: 'PROXY' },
      urls: { local, remote: local, proxy: null },
      kind: 'REMOTE',
    },
  }
  for (const [words, { set, found: detected = found, forwarded, urls, kind }] of Object.entries(cases)) {
    test(words, () => {
      const overrides = { ...noServerUrlOverrides, ...set }
      const resolved = resolveServerUrls(overrides, detected, { forwardedOrigin: forwarded ?? null })
      assert.deepEqual(resolved, urls)
      assert.equal(resolveDefaultKind(overrides, detected, resolved), kind)
    })
  }
})

const proxies = new BlockList()
proxies.addSubnet('127.0.0.0', 8)
proxies.addAddress('::1', 'ipv6')

const fields = `detected { localUrl remoteUrl proxyUrl lanUrls } effective { localUrl remoteUrl proxyUrl defaultKind }
  localUrlOverride remoteUrlOverride proxyUrlOverride defaultKind revision`
const settingsQuery = `{ serverUrlSettings { ${fields} } }`
const saveMutation = `mutation ($input: SaveServerUrlSettingsInput!) {
  saveServerUrlSettings(input: $input) { serverUrlSettings { ${fields} } }
}`

interface Settings {
  readonly detected: Readonly<Record<string, unknown>>
  readonly effective: Readonly<Record<string, unknown>>
  readonly remoteUrlOverride: string | null
  readonly revision: number
}

describe('the settings of the server URLs', () => {
  let world: TestGateway
  let key: Readonly<Record<string, string>>
  let local: string
  before(async () => {
    world = await startTestGateway({
      settings: { trustedProxies: proxies, appOrigins: ['https://app.example'] },
      options: { operations, objectTypes },
    })
    const { userId } = await world.signIn()
    key = { 'x-api-key': (await world.apiKey(userId)).token }
    local = new URL(world.gateway.url).origin
  })
  after(() => world.stop())
  beforeEach(async () => {
    await save({ localUrlOverride: null, remoteUrlOverride: null, proxyUrlOverride: null, defaultKind: null })
  })

  async function read(headers: Readonly<Record<string, string>> = {}): Promise<Settings> {
    const { body } = await world.graphql(settingsQuery, {}, { ...key, ...headers })
    assert.equal(body.errors, undefined)
    return (body.data as unknown as { serverUrlSettings: Settings }).serverUrlSettings
  }
  async function save(input: object) {
    const { body } = await world.graphql(saveMutation, { input }, key)
    return body
  }

  test('have no overrides at first', async () => {
    const { revision: _, ...settings } = await read()
    assert.deepEqual(settings, {
      detected: { localUrl: local, remoteUrl: null, proxyUrl: null, lanUrls: [] },
      effective: { localUrl: local, remoteUrl: local, proxyUrl: null, defaultKind: 'LOCAL' },
      localUrlOverride: null,
      remoteUrlOverride: null,
      proxyUrlOverride: null,
      defaultKind: null,
    })
  })

  test('use an override at once, normalized, and null removes it', async () => {
    await save({ remoteUrlOverride: 'HTTPS://VPN.example:443/', defaultKind: 'REMOTE' })
    assert.deepEqual((await read()).effective, {
      localUrl: local,
      remoteUrl: 'https://vpn.example',
      proxyUrl: null,
      defaultKind: 'REMOTE',
    })
    await save({ defaultKind: null })
    assert.equal((await read()).remoteUrlOverride, 'https://vpn.example', 'what is omitted stays')
    await save({ remoteUrlOverride: null })
    assert.equal((await read()).effective.remoteUrl, local)
  })

  test('do not change if the same values are saved again', async () => {
    await save({ remoteUrlOverride: 'https://vpn.example' })
    const { revision } = await read()
    await save({ remoteUrlOverride: 'https://vpn.example' })
    assert.equal((await read()).revision, revision)
  })

  const bad: readonly [words: string, origin: string][] = [
    ['a path', 'https://signalbox.example/console'],
    ['a query', 'https://signalbox.example?x=1'],
    ['a fragment', 'https://signalbox.example#x'],
    ['a user', 'https://ada:secret@signalbox.example'],
    ['another scheme', 'ftp://signalbox.example'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', 'signalbox.example'],
    ['an empty text', ''],
    ['spaces', ' https://signalbox.example'],
    ['a back-slash', 'https:\\\\signalbox.example'],
    ['a port that does not exist', 'https://signalbox.example:99999'],
    ['an address that does not exist', 'http://10.0.0.300'],
    ['a very long name', `https://${'a'.repeat(300)}.example`],
  ]
  for (const field of ['localUrlOverride', 'remoteUrlOverride', 'proxyUrlOverride']) {
    test(`accept only origins in ${field}, and a refused value changes nothing`, async () => {
      const before = await read()
      for (const [words, origin] of bad) {
        const { code, details } = (await save({ [field]: origin })).errors?.[0]?.extensions ?? {}
        assert.deepEqual([code, (details as { field: string }).field], ['BAD_USER_INPUT', field], words)
      }
      assert.deepEqual(await read(), before)
    })
  }

  test('detect the forwarded host of a trusted proxy for its own request only', async () => {
    const forwarded = { 'x-forwarded-host': 'Signalbox.example:8443', 'x-forwarded-proto': 'https' }
    const through = await read(forwarded)
    assert.equal(through.detected.proxyUrl, 'https://signalbox.example:8443')
    assert.deepEqual(through.effective, {
      localUrl: local,
      remoteUrl: 'https://signalbox.example:8443',
      proxyUrl: 'https://signalbox.example:8443',
      defaultKind: 'PROXY',
    })
    assert.equal((await read()).effective.proxyUrl, null)
    const nearest = await read({ ...forwarded, 'x-forwarded-host': 'client.example, nearest.example' })
    assert.equal(nearest.detected.proxyUrl, 'https://nearest.example')
    for (const wrong of ['', 'a b', 'x/y', 'user@host', '<script>', `${'a'.repeat(300)}`])
      assert.equal((await read({ ...forwarded, 'x-forwarded-host': wrong })).detected.proxyUrl, null, wrong)
  })

  test('never accept a browser from an origin because of an override', async () => {
    const { token } = await world.signIn()
    const hostile = 'https://evil.example'
    await save({
      localUrlOverride: hostile,
      remoteUrlOverride: hostile,
      proxyUrlOverride: hostile,
      defaultKind: 'PROXY',
    })
    const post = (origin: string, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${world.gateway.url}/api/graphql`, {
        method: 'POST',
        headers: { cookie: `signalbox=${token}`, origin, 'content-type': 'application/json', ...more },
        body: JSON.stringify({ query: '{ viewer { __typename } }' }),
      })
    assert.equal((await post('https://app.example')).status, 200)
    assert.equal((await post(hostile)).status, 403)
    const claimed = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    assert.equal((await post(hostile, claimed)).status, 403, 'nor does the host that a proxy reports')
  })

  describe('under their former names in the telemetry settings', () => {
    const former = 'telemetrySettings { consoleLogs localUrlOverride remoteUrlOverride publicUrl revision }'
    const readFormer = async () => {
      const { body } = await world.graphql(`{ ${former} }`, {}, key)
      return (body.data as unknown as { telemetrySettings: Record<string, unknown> }).telemetrySettings
    }
    const saveFormer = async (input: object) => {
      const mutation = `mutation ($input: SaveTelemetrySettingsInput!) { saveTelemetrySettings(input: $input) { ${former} } }`
      return (await world.graphql(mutation, { input }, key)).body
    }

    test('are read and saved as the same values', async () => {
      await save({ localUrlOverride: 'http://box.lan', remoteUrlOverride: 'https://vpn.example' })
      const { localUrlOverride, remoteUrlOverride, publicUrl } = await readFormer()
      assert.deepEqual(
        [localUrlOverride, remoteUrlOverride, publicUrl],
        ['http://box.lan', 'https://vpn.example', 'https://vpn.example'],
      )
      const { data } = await saveFormer({ publicUrl: 'https://new.example', localUrlOverride: null })
      const saved = (data as unknown as { saveTelemetrySettings: { telemetrySettings: Record<string, unknown> } })
        .saveTelemetrySettings.telemetrySettings
      assert.deepEqual(
        [saved.localUrlOverride, saved.remoteUrlOverride, saved.publicUrl],
        [null, 'https://new.example', 'https://new.example'],
      )
      assert.equal((await read()).remoteUrlOverride, 'https://new.example')
    })

    test('have the remote origin in use as publicUrl, if it has no override', async () => {
      assert.equal((await readFormer()).publicUrl, local)
    })

    test('change no setting if an origin is wrong, two fields contradict each other or the revision is stale', async () => {
      const before = [await read(), await readFormer()]
      const refused: readonly [input: object, code: string, field: string][] = [
        [{ consoleLogs: false, localUrlOverride: 'no origin' }, 'BAD_USER_INPUT', 'localUrlOverride'],
        [
          { consoleLogs: false, publicUrl: 'https://a.example', remoteUrlOverride: 'https://b.example' },
          'BAD_USER_INPUT',
          'publicUrl',
        ],
        [{ publicUrl: 'https://a.example', expectedRevision: 99 }, 'CONFLICT', 'expectedRevision'],
      ]
      for (const [input, code, field] of refused) {
        const { errors } = await saveFormer(input)
        const { code: given, details } = errors?.[0]?.extensions ?? {}
        assert.deepEqual([given, (details as { field: string }).field], [code, field])
      }
      assert.deepEqual([await read(), await readFormer()], before)
    })
  })
})
