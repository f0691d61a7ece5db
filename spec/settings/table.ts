import * as v from 'valibot'
import { limits, requestHeadMax } from '../core/limits.ts'
import {
  addresses,
  baseUrl,
  host,
  origin,
  origins,
  outboundAllow,
  port,
  postgresUrl,
  url,
  urls,
  wholeNumber,
  yesNo,
} from './schemas.ts'
import { certificates, p256Key, privateKey, secretBytes } from './secrets.ts'

/** A setting: what its text may be, in code and in words. */
export interface Setting<Schema extends v.GenericSchema<string, unknown> = v.GenericSchema<string, unknown>> {
  readonly schema: Schema
  /** Goes after "must be". */
  readonly rule: string
  readonly example: string
  /** Its value is never printed. */
  readonly secret?: true
}

const define = <Schema extends v.GenericSchema<string, unknown>>(setting: Setting<Schema>) => setting

const portNumber = define({ schema: port, rule: 'a port from 0 (any free one) to 65535', example: '3000' })
const yesOrNo = define({ schema: yesNo, rule: 'true or false', example: 'true' })
const providerUrl = define({
  schema: url('https', 'http'),
  rule: 'an https URL',
  example: 'https://login.example.com/oauth2/token',
})
const secret = define({
  schema: secretBytes,
  rule: '32 random bytes in base64 or hex, never a passphrase (its value is not shown)',
  example: '"$(openssl rand -base64 32)"',
  secret: true,
})
const text = (example: string) =>
  define({ schema: v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,1000}$/)), rule: 'plain text', example })

/** Every setting but the limits, in the order of the documentation. */
export const table = {
  NODE_ENV: define({
    schema: v.picklist(['development', 'test', 'production']),
    rule: 'development, test or production',
    example: 'production',
  }),
  PORT: portNumber,
  HOST: define({ schema: host, rule: 'an address or host name to listen on', example: '127.0.0.1' }),
  AGENT_WS_PORT: { ...portNumber, example: '3091' },
  AGENT_WS_URL: define({ schema: baseUrl('ws', 'wss'), rule: 'a ws or wss URL', example: 'wss://agents.example.com' }),
  PUBLIC_BASE_URL: define({
    schema: origin,
    rule: 'an http or https origin without a path',
    example: 'https://signalbox.example.com',
  }),
  APP_ORIGINS: define({
    schema: origins,
    rule: 'http or https origins without a path, separated by commas',
    example: 'https://signalbox.example.com,https://admin.example.com',
  }),
  TRUSTED_PROXIES: define({
    schema: addresses,
    rule: 'addresses or CIDRs separated by commas',
    example: '10.0.0.0/8,2001:db8::1',
  }),
  DATA_DIR: define({
    schema: v.pipe(
      v.string(),
      v.check((path) => !path.includes('\0')),
    ),
    rule: 'a folder',
    example: '/var/lib/signalbox',
  }),
  DATABASE_URL: define({
    schema: postgresUrl,
    rule: 'a postgres URL (its value is not shown)',
    example: 'postgres://user:password@db.example.com:5432/signalbox',
    secret: true,
  }),
  NATS_URL: define({
    schema: urls('nats', 'tls', 'ws', 'wss'),
    rule: 'nats URLs separated by commas (its value is not shown)',
    example: 'nats://nats.example.com:4222',
    secret: true,
  }),
  BLOB_URL: define({
    schema: url('s3'),
    rule: 'an s3 URL (its value is not shown)',
    example: 's3://bucket/prefix',
    secret: true,
  }),
  LOCAL_AGENT: yesOrNo,
  METRICS_PORT: { ...portNumber, example: '9464' },
  METRICS_HOST: define({ schema: host, rule: 'an address or host name to listen on', example: '127.0.0.1' }),
  LOG_LEVEL: define({
    schema: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    rule: 'fatal, error, warn, info, debug, trace or silent',
    example: 'info',
  }),
  LOG_FORMAT: define({ schema: v.picklist(['pretty', 'json']), rule: 'pretty or json', example: 'json' }),
  GRAPHQL_SANDBOX: yesOrNo,
  JOURNAL_RETENTION_DAYS: define({
    schema: wholeNumber(1, 36_500),
    rule: 'a number of days from 1 to 36500',
    example: '90',
  }),
  TELEMETRY_RETENTION_DAYS: define({
    schema: wholeNumber(1, 36_500),
    rule: 'a number of days from 1 to 36500',
    example: '30',
  }),
  AUDIT_RETENTION_DAYS: define({
    schema: wholeNumber(1, 36_500),
    rule: 'a number of days from 1 to 36500',
    example: '90',
  }),
  OUTBOUND_ALLOW: define({
    schema: outboundAllow,
    rule: 'host names, addresses or CIDRs separated by commas',
    example: 'mcp.internal,10.1.0.0/16',
  }),
  APP_SECRET: secret,
  APP_SECRET_PREVIOUS: secret,
  AUTH_MODE: define({
    schema: v.picklist(['password', 'oidc', 'both']),
    rule: 'password, oidc or both',
    example: 'both',
  }),
  AUTH_OAUTH_PROVIDER_ID: define({
    schema: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)),
    rule: 'at most 64 of a-z, 0-9, - and _ (it stands in the redirect URL)',
    example: 'keycloak',
  }),
  AUTH_OAUTH_PROVIDER_NAME: define({
    schema: v.pipe(v.string(), v.regex(/^[^\p{Cc}]{1,100}$/u)),
    rule: 'at most 100 characters',
    example: 'Keycloak',
  }),
  AUTH_OAUTH_CLIENT_ID: text('signalbox'),
  AUTH_OAUTH_CLIENT_SECRET: { ...text('…'), rule: 'plain text (its value is not shown)', secret: true },
  AUTH_OAUTH_SCOPES: define({
    schema: v.pipe(
      v.string(),
      v.transform((scopes) => scopes.split(/[\s,]+/)),
      v.check((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))),
    ),
    rule: 'scopes separated by spaces',
    example: '"openid email profile"',
  }),
  AUTH_OAUTH_DISCOVERY_URL: { ...providerUrl, example: 'https://login.example.com/.well-known/openid-configuration' },
  // An issuer is compared letter by letter: nothing of it may be changed, a slash at its end included.
  AUTH_OAUTH_ISSUER: define({
    schema: v.pipe(
      v.string(),
      v.check((issuer) => v.is(url('https', 'http'), issuer) && !/[?#]/.test(issuer)),
    ),
    rule: 'an https URL without a query',
    example: 'https://login.example.com',
  }),
  AUTH_OAUTH_AUTHORIZATION_URL: { ...providerUrl, example: 'https://login.example.com/oauth2/authorize' },
  AUTH_OAUTH_TOKEN_URL: providerUrl,
  AUTH_OAUTH_USER_INFO_URL: { ...providerUrl, example: 'https://login.example.com/oauth2/userinfo' },
  AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION: yesOrNo,
  APNS_KEY: define({
    schema: p256Key,
    rule: 'the private key of a .p8 file in PEM (its value is not shown)',
    example: '"-----BEGIN PRIVATE KEY-----\\n…"',
    secret: true,
  }),
  APNS_KEY_ID: text('ABC123DEFG'),
  APNS_TEAM_ID: text('DEF123GHIJ'),
  APNS_HOST: define({
    schema: url('https', 'http'),
    rule: 'an https URL',
    example: 'https://api.push.apple.com',
  }),
  DEVICE_PROFILE_CERT: define({
    schema: certificates,
    rule: 'a certificate in PEM, and after it those of its issuers (its value is not shown)',
    example: '"-----BEGIN CERTIFICATE-----\\n…"',
    secret: true,
  }),
  DEVICE_PROFILE_KEY: define({
    schema: privateKey,
    rule: 'a private key in PEM (its value is not shown)',
    example: '"-----BEGIN PRIVATE KEY-----\\n…"',
    secret: true,
  }),
  DEVICE_CA_CERTS: define({
    schema: certificates,
    rule: 'certificates in PEM (its value is not shown)',
    example: '"$(cat apple-iphone-device-ca.pem)"',
    secret: true,
  }),
} as const satisfies Readonly<Record<string, Setting>>

export type Name = keyof typeof table

/** What a setting's text becomes. */
export type Value<N extends Name> = v.InferOutput<(typeof table)[N]['schema']>

/** The largest values of the limits that have one. */
const largest: Partial<Readonly<Record<keyof typeof limits, number>>> = { requestHeadBytes: requestHeadMax }

export function limitOf(name: keyof typeof limits): Setting {
  const max = largest[name]
  return define({
    schema: wholeNumber(1, max ?? Number.MAX_SAFE_INTEGER),
    rule: max === undefined ? 'a whole number from 1' : `a whole number from 1 to ${max}`,
    example: String(limits[name]),
  })
}

/** The setting of a limit: `graphqlDepth` is `LIMIT_GRAPHQL_DEPTH`. */
export function limitSetting(name: keyof typeof limits): string {
  return `LIMIT_${name.replace(/[A-Z]|\d+/g, '_$&').toUpperCase()}`
}

/** The names of all settings. */
export const settingNames: readonly string[] = [
  ...Object.keys(table),
  ...(Object.keys(limits) as (keyof typeof limits)[]).map(limitSetting),
]

/** How a name begins that nobody else's software uses: an unknown one is a mistake, not another program's. */
export const ourPrefixes: readonly string[] = [
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
  'TELEMETRY_RETENTION',
  'TRUSTED_PROX',
]
