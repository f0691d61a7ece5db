import type { BlockList } from 'node:net'
import type { Limits } from './spec/core/limits.ts'
import { type IdentityProvider, readIdentityProvider } from './spec/settings/identityProvider.ts'
import type { ShownSetting } from './spec/settings/installation.ts'
import { type Environment, type Reader, readerOf, readLimits, refuseUnknown } from './spec/settings/reader.ts'
import type { OutboundAllow } from './spec/settings/schemas.ts'
import { signerProblem } from './spec/settings/secrets.ts'
import { SettingsError } from './spec/settings/settingsError.ts'
import { type Defaults, shownSettings } from './spec/settings/shown.ts'
import { type Name, table, type Value } from './spec/settings/table.ts'

export { SettingsError } from './spec/settings/settingsError.ts'
export { settingNames } from './spec/settings/table.ts'

/** What the environment says, checked. `docs/settings.md` says what each is for. */
export interface Settings {
  readonly production: boolean
  /** 0: any free one. */
  readonly port: number
  readonly host: string
  readonly agentWsPort: number
  /** Without a slash at its end; undefined: derived from the request. */
  readonly agentWsUrl: string | undefined
  /** An origin, as browsers write it. */
  readonly publicBaseUrl: string | undefined
  /** Origins, as browsers write them; undefined: the host of the request. `publicBaseUrl` is trusted besides. */
  readonly appOrigins: readonly string[] | undefined
  readonly trustedProxies: BlockList | undefined
  /** As it was written; relative to the working folder. */
  readonly dataDir: string
  /** Undefined: the embedded database. */
  readonly databaseUrl: string | undefined
  /** One or more URLs, separated by commas. */
  readonly natsUrl: string | undefined
  /** Undefined: files under `dataDir`. */
  readonly blobUrl: string | undefined
  readonly localAgent: boolean
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  readonly logLevel: Value<'LOG_LEVEL'>
  readonly logFormat: Value<'LOG_FORMAT'>
  readonly graphqlSandbox: boolean
  readonly journalRetentionDays: number
  readonly telemetryRetentionDays: number
  readonly auditRetentionDays: number
  readonly outboundAllow: OutboundAllow | undefined
  /** 32 bytes; undefined only outside production, where `storage/blobs/developmentSecret.ts` makes one. */
  readonly appSecret: Uint8Array | undefined
  readonly appSecretPrevious: Uint8Array | undefined
  readonly authMode: Value<'AUTH_MODE'>
  /** There unless `authMode` is `password`. */
  readonly identityProvider: IdentityProvider | undefined
  readonly apns: Apns | undefined
  /** PEM texts, the signer's own certificate first; undefined: profiles can't be signed. */
  readonly deviceProfile: { readonly certificates: readonly string[]; readonly key: string } | undefined
  /** PEM texts; undefined: who issued a device's certificate is not asked. */
  readonly deviceAuthorities: readonly string[] | undefined
  readonly limits: Limits
  /** All of them, as anybody who is signed in may see them. */
  readonly shown: readonly ShownSetting[]
}

/** Apple's push service with a provider token. */
export interface Apns {
  /** PEM text. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  /** An origin. Undefined: Apple's own, by each device's environment. */
  readonly host: string | undefined
}

/**
 * Reads all settings at once; depends on nothing but its arguments. `isTerminal`: somebody watches the output.
 * Throws `SettingsError` for the first that can't be used.
 */
export function readSettings(env: Environment, isTerminal = false): Settings {
  refuseUnknown(env)
  const read = readerOf(env)
  const production = read('NODE_ENV') === 'production'
  const authMode = read('AUTH_MODE') ?? 'password'
  const metricsPort = read('METRICS_PORT')
  const metricsHost = read('METRICS_HOST') ?? '127.0.0.1'
  const settings: Omit<Settings, 'shown'> = {
    production,
    port: read('PORT') ?? 3000,
    host: read('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    agentWsPort: read('AGENT_WS_PORT') ?? (production ? 3091 : 3092),
    agentWsUrl: read('AGENT_WS_URL'),
    publicBaseUrl: read('PUBLIC_BASE_URL'),
    appOrigins: read('APP_ORIGINS'),
    trustedProxies: read('TRUSTED_PROXIES'),
    dataDir: read('DATA_DIR') ?? '.signalbox',
    databaseUrl: read('DATABASE_URL'),
    natsUrl: read('NATS_URL'),
    blobUrl: read('BLOB_URL'),
    localAgent: read('LOCAL_AGENT') ?? !production,
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    logLevel: read('LOG_LEVEL') ?? 'info',
    logFormat: read('LOG_FORMAT') ?? (isTerminal ? 'pretty' : 'json'),
    graphqlSandbox: read('GRAPHQL_SANDBOX') ?? !production,
    journalRetentionDays: read('JOURNAL_RETENTION_DAYS') ?? 90,
    telemetryRetentionDays: read('TELEMETRY_RETENTION_DAYS') ?? 30,
    auditRetentionDays: read('AUDIT_RETENTION_DAYS') ?? 90,
    outboundAllow: read('OUTBOUND_ALLOW'),
    ...readAppSecrets(read, production),
    authMode,
    identityProvider: readIdentityProvider(read, authMode, production),
    apns: readApns(read),
    deviceProfile: readDeviceProfile(read),
    deviceAuthorities: read('DEVICE_CA_CERTS'),
    limits: readLimits(env),
  }
  refuseSharedPorts(settings)
  return { ...settings, shown: shownSettings(env, defaultsOf(settings)) }
}

/** What counts for those that have a default, where they are not set. */
function defaultsOf(settings: Omit<Settings, 'shown'>): Defaults {
  const { production, metrics, identityProvider } = settings
  return {
    NODE_ENV: 'development',
    PORT: settings.port,
    HOST: settings.host,
    AGENT_WS_PORT: settings.agentWsPort,
    DATA_DIR: settings.dataDir,
    LOCAL_AGENT: settings.localAgent,
    ...(metrics ? { METRICS_HOST: metrics.host } : {}),
    LOG_LEVEL: settings.logLevel,
    LOG_FORMAT: settings.logFormat,
    GRAPHQL_SANDBOX: !production,
    JOURNAL_RETENTION_DAYS: settings.journalRetentionDays,
    TELEMETRY_RETENTION_DAYS: settings.telemetryRetentionDays,
    AUDIT_RETENTION_DAYS: settings.auditRetentionDays,
    AUTH_MODE: settings.authMode,
    ...(identityProvider ? { AUTH_OAUTH_REQUIRE_ISSUER_VALIDATION: false } : {}),
  }
}

function readAppSecrets(read: Reader, production: boolean): Pick<Settings, 'appSecret' | 'appSecretPrevious'> {
  const appSecret = read('APP_SECRET')
  const appSecretPrevious = read('APP_SECRET_PREVIOUS')
  if (appSecret === undefined && production) refuseIncomplete('APP_SECRET', 'NODE_ENV is production')
  if (appSecret === undefined && appSecretPrevious) refuseIncomplete('APP_SECRET', 'APP_SECRET_PREVIOUS is set')
  if (appSecret && appSecretPrevious && Buffer.from(appSecret).equals(appSecretPrevious)) {
    throw new SettingsError(
      'APP_SECRET_PREVIOUS is the same as APP_SECRET: remove it, or give it the secret before, for example APP_SECRET_PREVIOUS="$OLD_SECRET".',
    )
  }
  return { appSecret, appSecretPrevious }
}

function readApns(read: Reader): Apns | undefined {
  const names = ['APNS_KEY', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_HOST'] as const
  const [given] = names.filter(read.isSet)
  if (given === undefined) return undefined
  const need = (name: 'APNS_KEY' | 'APNS_KEY_ID' | 'APNS_TEAM_ID') =>
    read(name) ?? refuseIncomplete(name, `${given} is set`)
  const host = read('APNS_HOST')
  return {
    key: need('APNS_KEY'),
    keyId: need('APNS_KEY_ID'),
    teamId: need('APNS_TEAM_ID'),
    host: host && new URL(host).origin,
  }
}

function readDeviceProfile(read: Reader): Settings['deviceProfile'] {
  const certificates = read('DEVICE_PROFILE_CERT')
  const key = read('DEVICE_PROFILE_KEY')
  if (certificates === undefined && key === undefined) return undefined
  const profile = {
    certificates: certificates ?? refuseIncomplete('DEVICE_PROFILE_CERT', 'DEVICE_PROFILE_KEY is set'),
    key: key ?? refuseIncomplete('DEVICE_PROFILE_KEY', 'DEVICE_PROFILE_CERT is set'),
  }
  const problem = signerProblem(profile.certificates[0] ?? '', profile.key)
  if (problem === undefined) return profile
  const { example } = table.DEVICE_PROFILE_KEY
  throw new SettingsError(`DEVICE_PROFILE_KEY ${problem}: for example DEVICE_PROFILE_KEY=${example}.`)
}

function refuseSharedPorts({ port, agentWsPort, metrics }: Pick<Settings, 'port' | 'agentWsPort' | 'metrics'>): void {
  const taken = new Map([[port, 'PORT']])
  for (const [name, number] of [
    ['AGENT_WS_PORT', agentWsPort] as const,
    ['METRICS_PORT', metrics?.port ?? 0] as const,
  ]) {
    const other = taken.get(number)
    if (other !== undefined && number !== 0) {
      throw new SettingsError(`${name} and ${other} are both ${number}: change one, for example ${name}=${number + 1}.`)
    }
    taken.set(number, name)
  }
}

function refuseIncomplete(name: Name, because: string): never {
  throw new SettingsError(`${name} is missing and ${because}: for example ${name}=${table[name].example}.`)
}
