/** Reads the settings from the environment. `spec/settings/table.ts` defines each of them. */
import { readApns, readDeviceProfile } from './spec/settings/apple.ts'
import type { Environment } from './spec/settings/environment.ts'
import { readIdentityProvider } from './spec/settings/identityProvider.ts'
import { readS3 } from './spec/settings/s3.ts'
import { SettingsDraft } from './spec/settings/settingsDraft.ts'
import { shownSettings } from './spec/settings/shown.ts'

export { SettingsError } from './spec/settings/settingsError.ts'
export { settingNames } from './spec/settings/table.ts'

export type Settings = Readonly<ReturnType<typeof readSettings>>

/**
 * The result depends on the arguments only.
 * @param isTerminal The output goes to a terminal.
 * @throws SettingsError with all problems
 */
export function readSettings(env: Environment, isTerminal = false) {
  const draft = new SettingsDraft(env, isTerminal)
  const { values, limits } = draft
  rejectSharedPorts(draft)
  rejectAppSecrets(draft)
  return draft.finish({
    production: values.NODE_ENV === 'production',
    /** 0: any free port, here and in `agentWsPort`. */
    port: values.PORT,
    host: values.HOST,
    agentWsPort: values.AGENT_WS_PORT,
    agentWsUrl: values.AGENT_WS_URL,
    publicBaseUrl: values.PUBLIC_BASE_URL,
    appOrigins: values.APP_ORIGINS,
    trustedProxies: values.TRUSTED_PROXIES,
    dataDir: values.DATA_DIR,
    /** Undefined: the embedded database. */
    databaseUrl: values.DATABASE_URL,
    natsUrl: values.NATS_URL,
    /** Undefined: files under `dataDir`. */
    s3: readS3(draft),
    localAgent: values.LOCAL_AGENT,
    localAgentClis: values.LOCAL_AGENT_CLIS,
    metrics: values.METRICS_PORT === undefined ? undefined : { port: values.METRICS_PORT, host: values.METRICS_HOST },
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    graphqlSandbox: values.GRAPHQL_SANDBOX,
    journalRetentionDays: values.JOURNAL_RETENTION_DAYS,
    telemetryRetentionDays: values.TELEMETRY_RETENTION_DAYS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    rawCrashReportRetentionDays: values.RAW_CRASH_REPORT_RETENTION_DAYS,
    outboundAllow: values.OUTBOUND_ALLOW,
    /** Undefined only outside production, where `storage/blobs/developmentSecret.ts` generates one. */
    appSecret: values.APP_SECRET,
    appSecretPrevious: values.APP_SECRET_PREVIOUS,
    authMode: values.AUTH_MODE,
    identityProvider: readIdentityProvider(draft),
    apns: readApns(draft),
    deviceProfile: readDeviceProfile(draft),
    /** Undefined: the issuers of device certificates are not checked. */
    deviceAuthorities: values.DEVICE_CA_CERTS,
    limits,
    /** All settings, as every signed-in user may see them. */
    shown: shownSettings(env, isTerminal),
  })
}

function rejectAppSecrets(draft: SettingsDraft): void {
  const { NODE_ENV, APP_SECRET: secret, APP_SECRET_PREVIOUS: previous } = draft.values
  if (!secret && NODE_ENV === 'production') draft.rejectMissing('APP_SECRET', 'NODE_ENV is production')
  else if (!secret && previous) draft.rejectMissing('APP_SECRET', 'APP_SECRET_PREVIOUS is set')
  if (secret && previous && Buffer.from(secret).equals(previous)) {
    draft.reject(
      'APP_SECRET_PREVIOUS is the same as APP_SECRET: remove it, or give it the secret before, for example APP_SECRET_PREVIOUS="$OLD_SECRET".',
    )
  }
}

function rejectSharedPorts(draft: SettingsDraft): void {
  const { PORT, AGENT_WS_PORT, METRICS_PORT } = draft.values
  const names = new Map<number, string>()
  for (const [name, port] of Object.entries({ PORT, AGENT_WS_PORT, METRICS_PORT })) {
    const other = port && names.get(port)
    if (port && other)
      draft.reject(`${name} and ${other} are both ${port}: change one, for example ${name}=${port + 1}.`)
    if (port) names.set(port, name)
  }
}
