/** The table of settings. The environment schema, the error messages and docs/settings.md are derived from it. */
import type * as v from 'valibot'
import { type Limits, limits, requestHeadMax } from '../core/limits.ts'
import * as is from './schemas.ts'
import { apnsKey, certificates, privateKey, secretBytes } from './secrets.ts'

export interface Setting<Schema = v.GenericSchema<string, unknown>> {
  readonly schema: Schema
  /** The text that applies if the environment does not set it. */
  readonly default?: string | ((context: DefaultContext) => string)
  /** Documents a default that is not a fixed text, in Markdown. */
  readonly defaultNote?: string
  /** Text for error messages. Absent: the default is the example. */
  readonly example?: string
  /** Documents the setting, in Markdown. */
  readonly description: string
  /** The value is never printed. */
  readonly secret?: true
}

export interface DefaultContext {
  readonly production: boolean
  /** The output goes to a terminal. */
  readonly isTerminal: boolean
}

const inProduction = (production: string, development: string) => (context: DefaultContext) =>
  context.production ? production : development

const requiredForProvider = 'required with `oidc` and `both`'

const serverSettings = {
  NODE_ENV: {
    schema: is.oneOf('development', 'test', 'production'),
    default: 'development',
    example: 'production',
    description: '`development`, `test` or `production`',
  },
  PORT: { schema: is.port, default: '3000', description: 'the main listener, HTTP and WebSocket; 0: any free port' },
  HOST: {
    schema: is.host,
    default: inProduction('0.0.0.0', '127.0.0.1'),
    example: '127.0.0.1',
    description: 'the address of both listeners',
  },
  AGENT_WS_PORT: {
    schema: is.port,
    default: inProduction('3091', '3092'),
    example: '3091',
    description: 'the agents’ listener; 0: any free port',
  },
  AGENT_WS_URL: {
    schema: is.webSocketUrl,
    defaultNote: 'derived from the request',
    example: 'wss://agents.example.com',
    description: 'the URL under which agents reach that listener from outside: `wss://agents.example.com`',
  },
  PUBLIC_BASE_URL: {
    schema: is.origin,
    example: 'https://signalbox.example.com',
    description:
      'the origin under which clients reach the server from outside; trusted like those of `APP_ORIGINS`. If it is https, every response has `Strict-Transport-Security`',
  },
  APP_ORIGINS: {
    schema: is.origins,
    defaultNote: 'none: the host of the request',
    example: 'https://signalbox.example.com,https://admin.example.com',
    description:
      'origins, separated by commas, from which browsers may send requests with a cookie; the server rejects all others with `Invalid origin`',
  },
  TRUSTED_PROXIES: {
    schema: is.addresses,
    example: '10.0.0.0/8,2001:db8::1',
    description:
      'addresses and CIDRs, separated by commas, of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are used',
  },
  DATA_DIR: {
    schema: is.folder,
    default: '.signalbox',
    example: '/var/lib/signalbox',
    description:
      'folder, relative to the working folder, of the embedded database, the blobs and the generated development secret; only one process can use it at a time',
  },
  DATABASE_URL: {
    schema: is.postgresUrl,
    defaultNote: 'none: the embedded database',
    example: 'postgres://user:password@db.example.com:5432/signalbox',
    description:
      '`postgres://user:password@host/database` of a PostgreSQL 15 or newer; several servers are separated by commas, see [Operations](operations.md)',
    secret: true,
  },
  NATS_URL: {
    schema: is.natsUrls,
    defaultNote: 'none: PostgreSQL’s NOTIFY',
    example: 'nats://nats.example.com:4222',
    description:
      'by which several processes on one database notify each other; several URLs are separated by commas. Not available yet: the server does not start if it is set',
    secret: true,
  },
  BLOB_URL: {
    schema: is.s3Url,
    defaultNote: 'none: files under `DATA_DIR`',
    example: 's3://bucket/prefix',
    description:
      '`s3://bucket/prefix`: stores the bytes of files in a bucket of S3 or of a compatible server, which all processes share. See [Files on S3](operations.md#files-on-s3)',
  },
  AWS_ACCESS_KEY_ID: {
    schema: is.plainText,
    defaultNote: 'required with `BLOB_URL`',
    example: 'AKIA…',
    description:
      'the ID of the key for the bucket of `BLOB_URL`. It is a permanent key: temporary ones need `AWS_SESSION_TOKEN`, which is not supported',
  },
  AWS_SECRET_ACCESS_KEY: {
    schema: is.plainText,
    defaultNote: 'required with `BLOB_URL`',
    example: '…',
    description: 'the secret of that key',
    secret: true,
  },
  AWS_REGION: {
    schema: is.accept((text) => /^[a-z0-9-]{1,64}$/i.test(text), 'at most 64 of a-z, 0-9 and -'),
    default: 'us-east-1',
    example: 'eu-central-1',
    description: 'the region of the bucket',
  },
  AWS_ENDPOINT_URL: {
    schema: is.httpsUrl,
    defaultNote: 'Amazon’s, by the region',
    example: 'https://s3.example.com',
    description: 'the URL of another server that is compatible with S3',
  },
  AWS_S3_PATH_STYLE: {
    schema: is.boolean,
    defaultNote: '`true` with `AWS_ENDPOINT_URL`, else `false`',
    example: 'true',
    description: 'the bucket is in the path of the URL, not in its host name',
  },
  LOCAL_AGENT: {
    schema: is.boolean,
    default: inProduction('false', 'true'),
    example: 'true',
    description: 'starts an agent on this machine, which enrolls automatically',
  },
  LOCAL_AGENT_CLIS: {
    schema: is.clis,
    default: 'detect',
    example: '"gemini=acp:gemini --acp;detect"',
    description:
      'the coding CLIs of that agent, separated by semicolons: `NAME=acp:COMMAND`, `NAME=plain:COMMAND`, or `detect` for [those that are installed](agent.md#coding-clis). A run uses the first if it names none',
    secret: true,
  },
  METRICS_PORT: {
    schema: is.port,
    defaultNote: 'none: no metrics',
    example: '9464',
    description: 'Prometheus text at `/metrics`',
  },
  METRICS_HOST: { schema: is.host, default: '127.0.0.1', description: 'the address of that listener' },
  LOG_LEVEL: {
    schema: is.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; `debug` logs each operation and its principal',
  },
  LOG_FORMAT: {
    schema: is.oneOf('pretty', 'json'),
    default: ({ isTerminal }: DefaultContext) => (isTerminal ? 'pretty' : 'json'),
    defaultNote: '`pretty` on a terminal, else `json`',
    example: 'json',
    description: '`pretty` or `json`',
  },
  GRAPHQL_SANDBOX: {
    schema: is.boolean,
    default: inProduction('false', 'true'),
    example: 'true',
    description: 'GraphiQL, introspection and suggestions',
  },
  JOURNAL_RETENTION_DAYS: {
    schema: is.days,
    default: '90',
    description: 'retention of the history of transitions; whole months are dropped, and only history depends on it',
  },
  TELEMETRY_RETENTION_DAYS: {
    schema: is.days,
    default: '30',
    description:
      'retention of [telemetry](telemetry.md); a month is purged as a whole once its newest record is older than this',
  },
  AUDIT_RETENTION_DAYS: {
    schema: is.days,
    default: '90',
    description:
      'retention of the [audit of tool calls](audit.md); a month is purged as a whole once its newest record is older than this',
  },
  RAW_CRASH_REPORT_RETENTION_DAYS: {
    schema: is.days,
    default: '90',
    description:
      'retention of [crash reports as they were sent](apps.md#the-report-as-it-was-sent); the reports and their threads are kept',
  },
  OUTBOUND_ALLOW: {
    schema: is.outboundAllow,
    example: 'mcp.internal,10.1.0.0/16',
    description:
      'host names, addresses and CIDRs, separated by commas, that are not public (private, loopback, link-local, metadata and the like) and that requests to addresses from users, documents and peers may reach. A name allows only itself, whatever it resolves to',
  },
} as const satisfies Readonly<Record<string, Setting>>

const signInSettings = {
  APP_SECRET: {
    schema: secretBytes,
    defaultNote: 'required in production; else generated once and kept under `DATA_DIR`',
    example: '"$(openssl rand -base64 32)"',
    description:
      '32 random bytes in base64 or hex (`openssl rand -base64 32`); a passphrase is refused. It signs sessions and links, and encrypts stored credentials',
    secret: true,
  },
  APP_SECRET_PREVIOUS: {
    schema: secretBytes,
    example: '"$(openssl rand -base64 32)"',
    description:
      'the former `APP_SECRET`: after a change, sessions stay valid and stored credentials stay readable; [step by step](operations.md#changing-app_secret)',
    secret: true,
  },
  AUTH_MODE: {
    schema: is.oneOf('password', 'oidc', 'both'),
    default: 'password',
    example: 'both',
    description: '`password`, `oidc` (passwords are off) or `both`',
  },
  AUTH_OAUTH_PROVIDER_ID: {
    schema: is.accept(
      (text) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text),
      'at most 64 of a-z, 0-9, - and _ (it is part of the redirect URL)',
    ),
    defaultNote: requiredForProvider,
    example: 'keycloak',
    description:
      'part of the redirect URL, `{base_url}/api/auth/oauth2/callback/<provider_id>`, and of every identity: after a change, every user is a new user',
  },
  AUTH_OAUTH_PROVIDER_NAME: {
    schema: is.accept((text) => /^[^\p{Cc}]{1,100}$/u.test(text), 'at most 100 characters'),
    defaultNote: '`AUTH_OAUTH_PROVIDER_ID`',
    example: 'Keycloak',
    description: 'the name of the provider on the sign-in page',
  },
  AUTH_OAUTH_CLIENT_ID: {
    schema: is.plainText,
    defaultNote: requiredForProvider,
    example: 'signalbox',
    description: 'the ID of the client at the provider',
  },
  AUTH_OAUTH_CLIENT_SECRET: {
    schema: is.plainText,
    defaultNote: requiredForProvider,
    example: '…',
    description: 'the secret of that client',
    secret: true,
  },
  AUTH_OAUTH_SCOPES: {
    schema: is.scopes,
    default: 'openid email profile',
    example: '"openid email profile"',
    description: 'separated by spaces',
  },
  AUTH_OAUTH_DISCOVERY_URL: {
    schema: is.httpsUrl,
    example: 'https://login.example.com/.well-known/openid-configuration',
    description: 'the provider’s `/.well-known/openid-configuration`',
  },
  AUTH_OAUTH_ISSUER: {
    schema: is.issuer,
    example: 'https://login.example.com',
    description: 'the issuer that must match: instead of the discovery URL, or in addition to it or to the three below',
  },
  AUTH_OAUTH_AUTHORIZATION_URL: {
    schema: is.httpsUrl,
    example: 'https://login.example.com/oauth2/authorize',
    description: 'with the two below, instead of the discovery URL',
  },
  AUTH_OAUTH_TOKEN_URL: {
    schema: is.httpsUrl,
    example: 'https://login.example.com/oauth2/token',
    description: 'the provider’s token endpoint',
  },
  AUTH_OAUTH_USER_INFO_URL: {
    schema: is.httpsUrl,
    example: 'https://login.example.com/oauth2/userinfo',
    description: 'the provider’s user info endpoint',
  },
  AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION: {
    schema: is.boolean,
    default: 'false',
    example: 'true',
    description: '`true` only if the provider returns and validates `iss`',
  },
} as const satisfies Readonly<Record<string, Setting>>

const appleSettings = {
  APNS_KEY: {
    schema: apnsKey,
    defaultNote: 'none: [no push notifications](push.md#turning-it-on)',
    example: '"-----BEGIN PRIVATE KEY-----\\n…"',
    description: 'the text of the `.p8` file, a P-256 key; `\\n` may replace its line breaks',
    secret: true,
  },
  APNS_KEY_ID: {
    schema: is.plainText,
    defaultNote: 'required with `APNS_KEY`',
    example: 'ABC123DEFG',
    description: 'the ID of that key',
  },
  APNS_TEAM_ID: {
    schema: is.plainText,
    defaultNote: 'required with `APNS_KEY`',
    example: 'DEF123GHIJ',
    description: 'the ID of the team that the key belongs to',
  },
  APNS_HOST: {
    schema: is.httpsUrl,
    defaultNote: 'Apple’s, by the device’s environment',
    example: 'https://api.push.apple.com',
    description: 'the URL of another server for both environments: for tests, or a proxy that supports HTTP/2',
  },
  DEVICE_PROFILE_CERT: {
    schema: certificates('a certificate in PEM, and after it those of its issuers'),
    defaultNote: 'none: profiles are not signed, and in production [not created](devices.md)',
    example: '"-----BEGIN CERTIFICATE-----\\n…"',
    description:
      'the PEM certificate that signs the profiles of [device enrollment](devices.md), followed by those of its issuers without the root',
    secret: true,
  },
  DEVICE_PROFILE_KEY: {
    schema: privateKey,
    defaultNote: 'required with `DEVICE_PROFILE_CERT`',
    example: '"-----BEGIN PRIVATE KEY-----\\n…"',
    description: 'its private key in PEM: RSA, P-256, P-384 or P-521',
    secret: true,
  },
  DEVICE_CA_CERTS: {
    schema: certificates('certificates in PEM'),
    defaultNote: 'none: only [the challenge](devices.md#what-is-checked) proves that an answer comes from the device',
    example: '"$(cat apple-iphone-device-ca.pem)"',
    description:
      'one or more PEM certificates; one of them must have issued the certificate that a device signs its answer with',
    secret: true,
  },
} as const satisfies Readonly<Record<string, Setting>>

/** Every setting except the limits, in one group for each table of docs/settings.md. */
export const settingGroups = [serverSettings, signInSettings, appleSettings] as const

export const settingTable = { ...serverSettings, ...signInSettings, ...appleSettings }

type SettingTable = typeof settingTable

export type SettingName = keyof SettingTable

/** The parsed value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]:
    | v.InferOutput<SettingTable[Name]['schema']>
    | (SettingTable[Name] extends { default: unknown } ? never : undefined)
}

/** Returns the setting of a limit: `LIMIT_GRAPHQL_DEPTH` for `graphqlDepth`. */
export function limitSetting(name: keyof Limits): string {
  return `LIMIT_${name.replace(/[A-Z]|\d+/g, '_$&').toUpperCase()}`
}

export const limitNames = Object.keys(limits) as (keyof Limits)[]

const limitTable = Object.fromEntries(
  limitNames.map((name): [string, Setting] => {
    const text = String(limits[name])
    const schema = is.limit(name === 'requestHeadBytes' ? requestHeadMax : undefined)
    // docs/settings.md describes the limits. A test compares their names and defaults.
    return [limitSetting(name), { schema, default: text, description: '' }]
  }),
)

/** Every setting, including the limits. */
export const allSettings: Readonly<Record<string, Setting>> = { ...settingTable, ...limitTable }
export const settingNames: readonly string[] = Object.keys(allSettings)

/** Name prefixes that no other software uses: an unknown name with one of them is a mistake. */
export const reservedPrefixes: readonly string[] = [
  'LIMIT_',
  'AUTH_OAUTH_',
  'AUTH_MODE',
  'APP_SECRET',
  'AUDIT_RETENTION',
  'APP_ORIGIN',
  'AGENT_WS_',
  'APNS_',
  'DEVICE_PROFILE_',
  'DEVICE_CA_',
  'GRAPHQL_SANDBOX',
  'JOURNAL_RETENTION',
  'OUTBOUND_ALLOW',
  'PUBLIC_BASE_',
  'RAW_CRASH_REPORT_RETENTION',
  'TELEMETRY_RETENTION',
  'TRUSTED_PROX',
]
