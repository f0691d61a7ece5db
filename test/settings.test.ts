import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings, type Settings, SettingsError, settingNames } from '../settings.ts'
import { type Limits, limits } from '../spec/core/limits.ts'
import { allSettings, limitSetting } from '../spec/settings/table.ts'
import { cert as certificate, key as certificateKey } from './actors/effects/outbound/certificate.ts'

const bytes = randomBytes(32)
const secret = bytes.toString('base64')
const provider = {
  AUTH_MODE: 'both',
  AUTH_OAUTH_PROVIDER_ID: 'keycloak',
  AUTH_OAUTH_CLIENT_ID: 'signalbox',
  AUTH_OAUTH_CLIENT_SECRET: 'hush-hush',
}
const discovered = { ...provider, AUTH_OAUTH_DISCOVERY_URL: 'https://id.example.com/.well-known/openid-configuration' }
const endpoints = {
  AUTH_OAUTH_AUTHORIZATION_URL: 'https://id.example.com/authorize',
  AUTH_OAUTH_TOKEN_URL: 'https://id.example.com/token/',
  AUTH_OAUTH_USER_INFO_URL: 'https://id.example.com/me',
}
const production = { NODE_ENV: 'production', APP_SECRET: secret }
const keyOn = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const pem = keyOn('P-256')
const otherCurve = keyOn('P-384')

const edwards = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

type Environment = Record<string, string>

/** Environments, and the settings that follow from them. */
const understood: readonly [
  words: string,
  env: Environment,
  means: (settings: Settings) => unknown,
  expected: unknown,
][] = [
  [
    'no variables: a server for this machine only',
    {},
    ({ host, port, agentWsPort }) => [host, port, agentWsPort],
    ['127.0.0.1', 3000, 3092],
  ],
  [
    'production: a server for all machines',
    production,
    ({ host, port, agentWsPort }) => [host, port, agentWsPort],
    ['0.0.0.0', 3000, 3091],
  ],
  [
    'any free ports',
    { PORT: '0', AGENT_WS_PORT: '0', METRICS_PORT: '0' },
    ({ port, metrics }) => [port, metrics],
    [0, { port: 0, host: '127.0.0.1' }],
  ],
  [
    'an empty value as no value',
    { PORT: '', DATABASE_URL: ' ' },
    ({ port, databaseUrl }) => [port, databaseUrl],
    [3000, undefined],
  ],
  [
    'a database with several servers',
    { DATABASE_URL: 'postgres://me:p%40ss@one.example.com:5432,two.example.com:5433/db?sslmode=require' },
    ({ databaseUrl }) => [databaseUrl],
    ['postgres://me:p%40ss@one.example.com:5432,two.example.com:5433/db?sslmode=require'],
  ],
  [
    'development: the local agent and the sandbox are on',
    {},
    ({ localAgent, graphqlSandbox }) => [localAgent, graphqlSandbox],
    [true, true],
  ],
  [
    'production: the local agent and the sandbox are off',
    production,
    ({ localAgent, graphqlSandbox }) => [localAgent, graphqlSandbox],
    [false, false],
  ],
  [
    'production with the local agent and the sandbox turned on',
    { ...production, LOCAL_AGENT: 'on', GRAPHQL_SANDBOX: 'true' },
    ({ localAgent, graphqlSandbox }) => [localAgent, graphqlSandbox],
    [true, true],
  ],
  ['a secret in base64', production, ({ appSecret }) => Buffer.from(appSecret ?? []), bytes],
  ['a secret in hex', { APP_SECRET: bytes.toString('hex') }, ({ appSecret }) => Buffer.from(appSecret ?? []), bytes],
  [
    'a secret in base64url',
    { APP_SECRET: bytes.toString('base64url') },
    ({ appSecret }) => Buffer.from(appSecret ?? []),
    bytes,
  ],
  ['no secret outside production', {}, ({ appSecret }) => appSecret, undefined],
  [
    'the previous secret',
    { APP_SECRET: secret, APP_SECRET_PREVIOUS: randomBytes(32).toString('hex') },
    ({ appSecretPrevious }) => appSecretPrevious?.length,
    32,
  ],
  [
    'origins as browsers write them',
    { APP_ORIGINS: 'https://A.example.com/, http://b.example.com:80' },
    ({ appOrigins }) => appOrigins,
    ['https://a.example.com', 'http://b.example.com'],
  ],
  [
    'the public origin',
    { PUBLIC_BASE_URL: 'https://s.example.com/' },
    ({ publicBaseUrl }) => publicBaseUrl,
    'https://s.example.com',
  ],
  [
    'the address for agents, without its final slash',
    { AGENT_WS_URL: 'wss://a.example.com/agents/' },
    ({ agentWsUrl }) => agentWsUrl,
    'wss://a.example.com/agents',
  ],
  [
    'proxies',
    { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1' },
    ({ trustedProxies: t }) => [t?.check('10.9.9.9'), t?.check('11.0.0.1'), t?.check('2001:db8::1', 'ipv6')],
    [true, false, true],
  ],
  [
    'hosts to which requests may be sent',
    { OUTBOUND_ALLOW: 'MCP.internal,10.1.0.0/16' },
    ({ outboundAllow: o }) => [o?.hosts.has('mcp.internal'), o?.addresses.check('10.1.2.3')],
    [true, true],
  ],
  [
    'passwords by default',
    {},
    ({ authMode, identityProvider }) => [authMode, identityProvider],
    ['password', undefined],
  ],
  [
    'a provider that is discovered',
    discovered,
    ({ identityProvider: p }) => [p?.name, p?.scopes, p?.endpoints.from],
    ['keycloak', ['openid', 'email', 'profile'], 'discovery'],
  ],
  [
    'a provider by its issuer',
    { ...provider, AUTH_OAUTH_ISSUER: 'https://id.example.com/' },
    ({ identityProvider: p }) => [p?.issuer, p?.endpoints.from],
    ['https://id.example.com/', 'issuer'],
  ],
  [
    'a provider by its endpoints, unchanged',
    { ...provider, ...endpoints },
    ({ identityProvider: p }) => p?.endpoints.from === 'settings' && p.endpoints.tokenUrl,
    'https://id.example.com/token/',
  ],
  [
    'a provider on this machine',
    { ...production, ...provider, AUTH_OAUTH_ISSUER: 'http://127.0.0.1:9000' },
    ({ identityProvider: p }) => p?.issuer,
    'http://127.0.0.1:9000',
  ],
  ['logs in JSON by default', {}, ({ logFormat, logLevel }) => [logFormat, logLevel], ['json', 'info']],
  [
    'one limit, and the defaults of the others',
    { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '9' },
    (settings) => settings.limits,
    { ...limits, graphqlPointsPer5Minutes: 9 },
  ],
  [
    'Apple’s key on one line',
    { APNS_KEY: pem.replaceAll('\n', '\\n'), APNS_KEY_ID: 'K', APNS_TEAM_ID: 'T' },
    ({ apns }) => apns?.key,
    pem.trim().concat('\n'),
  ],
  [
    'another push service, by its origin',
    { APNS_KEY: pem, APNS_KEY_ID: 'K', APNS_TEAM_ID: 'T', APNS_HOST: 'https://Push.example.com/' },
    ({ apns }) => apns?.host,
    'https://push.example.com',
  ],
  [
    'a signer of profiles, with the certificate of its issuer',
    { DEVICE_PROFILE_CERT: `${certificate}${certificate}`.replaceAll('\n', '\\n'), DEVICE_PROFILE_KEY: certificateKey },
    ({ deviceProfile: d }) => [d?.certificates, d?.key],
    [[certificate.trim(), certificate.trim()], certificateKey.trim()],
  ],
  [
    'the authorities that issue the certificates of devices',
    { DEVICE_CA_CERTS: certificate },
    ({ deviceAuthorities }) => deviceAuthorities,
    [certificate.trim()],
  ],
  [
    'the variables of other programs without an effect',
    { APP_ENV: 'x', AUTH_TOKEN: 'x', METRICS_DIR: 'x', JOURNAL_STREAM: '8:1' },
    ({ port }) => port,
    3000,
  ],
]

/** Invalid environments, and the message that the user reads. */
const refused: readonly [words: string, env: Environment, says: string | RegExp][] = [
  [
    'a port that is not a number',
    { PORT: 'http' },
    'PORT must be a port from 0 (any free one) to 65535, and is "http": for example PORT=3000.',
  ],
  ['a port above the highest one', { PORT: '70000' }, /^PORT must be .* and is "70000"/],
  [
    'the same port for two listeners',
    { PORT: '4000', AGENT_WS_PORT: '4000' },
    'AGENT_WS_PORT and PORT are both 4000: change one, for example AGENT_WS_PORT=4001.',
  ],
  [
    'the same port for two listeners, one of them by default',
    { METRICS_PORT: '3000' },
    /^METRICS_PORT and PORT are both 3000/,
  ],
  [
    'a mistyped NODE_ENV',
    { NODE_ENV: 'prod' },
    'NODE_ENV must be development, test or production, and is "prod": for example NODE_ENV=production.',
  ],
  ['a mistyped address', { HOST: '10.0.0.300' }, /^HOST must be an address or host name/],
  [
    'a proxy with too long a prefix',
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    /^TRUSTED_PROXIES must be addresses or CIDRs .* and is "10.0.0.0\/33"/,
  ],
  ['a proxy by name', { TRUSTED_PROXIES: 'proxy.internal' }, /^TRUSTED_PROXIES must be/],
  ['an origin with a path', { APP_ORIGINS: 'https://a.example.com/app' }, /^APP_ORIGINS must be .* without a path/],
  ['a superfluous comma', { APP_ORIGINS: 'https://a.example.com,' }, /^APP_ORIGINS must be/],
  [
    'a base URL without a scheme',
    { PUBLIC_BASE_URL: 'signalbox.example.com' },
    /^PUBLIC_BASE_URL must be an http or https origin/,
  ],
  ['an http URL for a WebSocket', { AGENT_WS_URL: 'http://a.example.com' }, /^AGENT_WS_URL must be a ws or wss URL/],
  [
    'the URL of another database system',
    { DATABASE_URL: 'mysql://me:hush-hush@db/x' },
    'DATABASE_URL must be a postgres URL (its value is not shown): for example DATABASE_URL=postgres://user:password@db.example.com:5432/signalbox.',
  ],
  [
    'a server without a name among others',
    { DATABASE_URL: 'postgres://me@one.example.com,,two.example.com/db' },
    /^DATABASE_URL must be a postgres URL/,
  ],
  [
    'a server with an invalid port among others',
    { DATABASE_URL: 'postgres://me@one.example.com:5432,two.example.com:x/db' },
    /^DATABASE_URL must be a postgres URL/,
  ],
  ['a fraction of a day', { JOURNAL_RETENTION_DAYS: '0.5' }, /^JOURNAL_RETENTION_DAYS must be a number of days from 1/],
  [
    'a boolean that is neither true nor false',
    { LOCAL_AGENT: 'maybe' },
    'LOCAL_AGENT must be true or false, and is "maybe": for example LOCAL_AGENT=true.',
  ],
  [
    'a coding CLI without a name',
    { LOCAL_AGENT_CLIS: 'detect;gemini --acp' },
    'LOCAL_AGENT_CLIS must be detect, NAME=acp:COMMAND or NAME=plain:COMMAND, or several of them separated by semicolons (its value is not shown): for example LOCAL_AGENT_CLIS="gemini=acp:gemini --acp;detect".',
  ],
  [
    'no secret in production',
    { NODE_ENV: 'production' },
    'APP_SECRET is missing and NODE_ENV is production: for example APP_SECRET="$(openssl rand -base64 32)".',
  ],
  [
    'a passphrase',
    { APP_SECRET: 'correct horse battery staple hush-hush' },
    /^APP_SECRET must be 32 random bytes .* never a passphrase/,
  ],
  [
    'a passphrase of the right length',
    { APP_SECRET: 'correcthorsebatterystaplecorrecthorsebatter' },
    /^APP_SECRET must be/,
  ],
  [
    'a passphrase in base64',
    { APP_SECRET: Buffer.from('hush-hush correct horse battery!').toString('base64') },
    /^APP_SECRET must be/,
  ],
  ['a secret of zeros', { APP_SECRET: '0'.repeat(64) }, /^APP_SECRET must be/],
  ['31 bytes', { APP_SECRET: randomBytes(31).toString('base64') }, /^APP_SECRET must be/],
  ['33 bytes', { APP_SECRET: randomBytes(33).toString('hex') }, /^APP_SECRET must be/],
  [
    'the same secret twice',
    { APP_SECRET: secret, APP_SECRET_PREVIOUS: bytes.toString('hex') },
    /^APP_SECRET_PREVIOUS is the same as APP_SECRET/,
  ],
  [
    'only the previous secret',
    { APP_SECRET_PREVIOUS: secret },
    /^APP_SECRET is missing and APP_SECRET_PREVIOUS is set/,
  ],
  [
    'a provider that the mode does not use',
    { ...discovered, AUTH_MODE: 'password' },
    /^AUTH_OAUTH_PROVIDER_ID is set and AUTH_MODE is password/,
  ],
  [
    'a mode that needs a provider without one',
    { AUTH_MODE: 'oidc' },
    [
      'AUTH_OAUTH_PROVIDER_ID is missing and AUTH_MODE is oidc: for example AUTH_OAUTH_PROVIDER_ID=keycloak.',
      'AUTH_OAUTH_CLIENT_ID is missing and AUTH_MODE is oidc: for example AUTH_OAUTH_CLIENT_ID=signalbox.',
      'AUTH_OAUTH_CLIENT_SECRET is missing and AUTH_MODE is oidc: for example AUTH_OAUTH_CLIENT_SECRET=….',
      'AUTH_OAUTH_DISCOVERY_URL is missing and no setting contains the address of the provider: for example AUTH_OAUTH_DISCOVERY_URL=https://login.example.com/.well-known/openid-configuration.',
    ].join('\n'),
  ],
  [
    'a provider without an address',
    provider,
    /^AUTH_OAUTH_DISCOVERY_URL is missing and no setting contains the address of the provider/,
  ],
  [
    'two of three endpoints',
    { ...provider, ...endpoints, AUTH_OAUTH_TOKEN_URL: '' },
    /^AUTH_OAUTH_TOKEN_URL is missing and AUTH_OAUTH_AUTHORIZATION_URL is set/,
  ],
  [
    'endpoints and a discovery URL together',
    { ...discovered, ...endpoints },
    /^AUTH_OAUTH_DISCOVERY_URL and AUTH_OAUTH_AUTHORIZATION_URL are both set/,
  ],
  [
    'the validation of an issuer that is missing',
    { ...provider, ...endpoints, AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION: 'true' },
    /^AUTH_OAUTH_ISSUER is missing and AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION is true/,
  ],
  ['a provider without openid', { ...discovered, AUTH_OAUTH_SCOPES: 'email' }, /^AUTH_OAUTH_SCOPES lacks openid/],
  [
    'a provider over plain http in production',
    { ...production, ...provider, AUTH_OAUTH_ISSUER: 'http://id.example.com' },
    /^AUTH_OAUTH_ISSUER must be an https URL in production/,
  ],
  ['half of Apple’s settings', { APNS_KEY_ID: 'K' }, /^APNS_KEY is missing and APNS_KEY_ID is set/],
  [
    'an invalid key',
    { APNS_KEY: 'hush-hush', APNS_KEY_ID: 'K', APNS_TEAM_ID: 'T' },
    /^APNS_KEY must be .*value is not shown/,
  ],
  [
    'a key of another curve than Apple’s',
    { APNS_KEY: otherCurve, APNS_KEY_ID: 'K', APNS_TEAM_ID: 'T' },
    /^APNS_KEY must be .*value is not shown/,
  ],
  [
    'the key of a signer without its certificate',
    { DEVICE_PROFILE_KEY: certificateKey },
    /^DEVICE_PROFILE_CERT is missing and DEVICE_PROFILE_KEY is set/,
  ],
  [
    'an invalid certificate',
    {
      DEVICE_PROFILE_CERT: '-----BEGIN CERTIFICATE-----\nhush-hush\n-----END CERTIFICATE-----',
      DEVICE_PROFILE_KEY: pem,
    },
    /^DEVICE_PROFILE_CERT must be a certificate in PEM, .*value is not shown/,
  ],
  [
    'a key of another certificate',
    { DEVICE_PROFILE_CERT: certificate, DEVICE_PROFILE_KEY: pem },
    /^DEVICE_PROFILE_KEY must be the key of the first certificate of DEVICE_PROFILE_CERT: for example/,
  ],
  [
    'a key that cannot sign profiles',
    { DEVICE_PROFILE_CERT: certificate, DEVICE_PROFILE_KEY: edwards },
    /^DEVICE_PROFILE_KEY must be an RSA key, or one of P-256, P-384 or P-521: for example/,
  ],
  ['invalid authorities', { DEVICE_CA_CERTS: 'hush-hush' }, /^DEVICE_CA_CERTS must be certificates in PEM/],
  [
    'a limit of zero',
    { LIMIT_BODY_BYTES: '0' },
    'LIMIT_BODY_BYTES must be a whole number from 1, and is "0": for example LIMIT_BODY_BYTES=6291456.',
  ],
  [
    'a limit that the HTTP server cannot keep',
    { LIMIT_REQUEST_HEAD_BYTES: '65537' },
    /^LIMIT_REQUEST_HEAD_BYTES must be a whole number from 1 to 65536, and is "65537": for example LIMIT_REQUEST_HEAD_BYTES=32768\.$/,
  ],
  ['a limit with a unit', { LIMIT_BODY_BYTES: '6MiB' }, /^LIMIT_BODY_BYTES must be a whole number/],
  [
    'a limit that does not exist',
    { LIMIT_BODY_SIZE: '1' },
    'LIMIT_BODY_SIZE is not a setting: remove it or correct its name, for example to LIMIT_BODY_BYTES.',
  ],
  [
    'a provider setting that does not exist',
    { AUTH_OAUTH_CLIENTID: 'x' },
    /^AUTH_OAUTH_CLIENTID is not a setting: .* for example to AUTH_OAUTH_CLIENT_ID\.$/,
  ],
  [
    'several bad settings and an unknown name, all at once',
    {
      PORT: 'http',
      LOCAL_AGENT: 'maybe',
      APP_SECRET: 'hush-hush',
      LIMIT_BODY_BYTES: '0',
      LIMIT_BODY_SIZE: '1',
    },
    [
      'LIMIT_BODY_SIZE is not a setting: remove it or correct its name, for example to LIMIT_BODY_BYTES.',
      'PORT must be a port from 0 (any free one) to 65535, and is "http": for example PORT=3000.',
      'LOCAL_AGENT must be true or false, and is "maybe": for example LOCAL_AGENT=true.',
      'APP_SECRET must be 32 random bytes in base64 or hex, never a passphrase (its value is not shown): for example APP_SECRET="$(openssl rand -base64 32)".',
      'LIMIT_BODY_BYTES must be a whole number from 1, and is "0": for example LIMIT_BODY_BYTES=6291456.',
    ].join('\n'),
  ],
  [
    'several contradictions, all at once',
    { PORT: '4000', AGENT_WS_PORT: '4000', APP_SECRET_PREVIOUS: secret, APNS_KEY_ID: 'K' },
    new RegExp(
      [
        '^AGENT_WS_PORT and PORT are both 4000: .*',
        'APP_SECRET is missing and APP_SECRET_PREVIOUS is set: .*',
        'APNS_KEY is missing and APNS_KEY_ID is set: .*',
        'APNS_TEAM_ID is missing and APNS_KEY_ID is set: .*$',
      ].join('\n'),
    ),
  ],
  [
    'a password in a URL that is not secret',
    { PUBLIC_BASE_URL: 'https://me:hush-hush@example.com/?token=hush-hush' },
    /^PUBLIC_BASE_URL must be .*, and is "https:\/\/…@example\.com\/\?…": /,
  ],
  [
    'a password in the URL of a provider over plain http',
    { ...production, ...provider, AUTH_OAUTH_DISCOVERY_URL: 'http://me:hush-hush@id.example.com/x' },
    /^AUTH_OAUTH_DISCOVERY_URL must be an https URL in production, and is "http:\/\/…@id\.example\.com\/x"/,
  ],
]

describe('the settings', () => {
  for (const [words, env, means, expected] of understood) {
    test(`take ${words}`, () => assert.deepEqual(means(readSettings(env)), expected))
  }

  for (const [words, env, says] of refused) {
    test(`refuse ${words}`, () => {
      const refusal = refusalOf(env)
      if (typeof says === 'string') assert.equal(refusal, says)
      else assert.match(refusal, says)
      for (const line of refusal.split('\n'))
        assert.match(line, /^[A-Z0-9_]+ .*\.$/, 'not one sentence that begins with the setting’s name')
      assert.ok(!refusal.includes('hush') && !refusal.includes(secret), 'it shows a secret')
    })
  }

  test('never show the value of a secret that is invalid', () => {
    const secrets = Object.keys(allSettings).filter((name) => allSettings[name]?.secret)
    const refusal = refusalOf(Object.fromEntries(secrets.map((name) => [name, '\u0000hush-hush\u0000'])))
    assert.deepEqual(
      refusal.split('\n').map((line) => line.split(' ')[0]),
      secrets,
    )
    assert.ok(!refusal.includes('hush'), 'it shows a secret')
    for (const line of refusal.split('\n')) assert.match(line, / must be .* \(its value is not shown\): for example /)
  })

  test('log in a form for people if the output is a terminal', () => {
    assert.equal(readSettings({}, true).logFormat, 'pretty')
    assert.equal(readSettings({ LOG_FORMAT: 'json' }, true).logFormat, 'json')
  })

  test('throw only a SettingsError, whatever the value of a setting', () => {
    for (const name of settingNames) {
      for (const value of [
        ',',
        '/',
        '://',
        'http://',
        'https://[',
        'x'.repeat(5_000),
        '\u0000',
        '💥',
        '%',
        '-1',
        '1e9',
      ]) {
        const error = thrownBy({ [name]: value })
        assert.ok(error === undefined || error instanceof SettingsError, `${name}=${value}: ${error}`)
      }
    }
  })

  test('have an effect: each limit and each setting is read outside of the settings themselves', () => {
    const root = resolve(import.meta.dirname, '..')
    const rooms = ['actors', 'gateway', 'machines', 'spec', 'storage']
    const inRoom = (room: string) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path))
    const sources = ['main.ts', ...rooms.flatMap(inRoom)]
      .filter((path) => path.endsWith('.ts') && !/^spec.(core.limits\.ts|settings\b)/.test(path))
      .map((path) => readFileSync(join(root, path), 'utf8'))
    const names = [...Object.keys(limits), ...Object.keys(readSettings({}))]
    assert.deepEqual(
      names.filter((name) => !sources.some((source) => readsSetting(source, name))),
      [],
    )
  })

  test('are those that the documentation lists, with the same limits', () => {
    const doc = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
    const rows = [...doc.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)]
    assert.deepEqual(rows.map(([, name]) => name).sort(), [...settingNames].sort())
    const defaults = Object.fromEntries(rows.map(([, name, text]) => [name, text]))
    for (const name of Object.keys(limits) as (keyof Limits)[]) {
      assert.equal(defaults[limitSetting(name)], `\`${limits[name]}\``, limitSetting(name))
    }
  })
})

/** Whether a source takes the setting from an object of settings or limits, or names it as the limit that it enforces. */
function readsSetting(source: string, name: string): boolean {
  const taken = `[{,]\\s*${name}\\b[^{}]*\\}\\s*`
  const forms = [
    `(settings|limits)\\??\\.${name}\\b`,
    `${taken}= [\\w.#]*(settings|limits)\\b`,
    `${taken}: [\\w<]*(Settings|Limits)\\b`,
    `${taken}: \\{[^{}]*\\breadonly ${name}\\b`,
    `(limit:|limit =|\\|) '${name}'`,
  ]
  return forms.some((form) => new RegExp(form).test(source))
}

function thrownBy(env: Environment): unknown {
  try {
    readSettings(env)
    return undefined
  } catch (error) {
    return error
  }
}

function refusalOf(env: Environment): string {
  const error = thrownBy(env)
  assert.ok(error instanceof SettingsError, `it was taken: ${error}`)
  return error.message
}
