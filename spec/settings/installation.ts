/** The installation: the server, its database, its listeners and its settings, without secrets. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { atMost, dateTime, int, named } from '../core/types.ts'

/** The maximum number of processes in the answer. */
export const processesMax = 100
const listenersMax = 3
/** The maximum number of settings in the answer, more than exist. */
const settingsMax = 200

const listener = named(
  'InstallationListener',
  'An address and port that the server listens on.',
  v.object({
    name: named(
      'InstallationListenerName',
      'The surface that the listener serves.',
      v.picklist(['MAIN', 'AGENTS', 'METRICS']),
    ),
    host: v.string(),
    port: int,
  }),
)

const setting = named(
  'InstallationSetting',
  'A setting of the process that answers.',
  v.object({
    name: v.string(),
    set: v.pipe(v.boolean(), v.description('Whether the environment sets it. Otherwise the setting has its default.')),
    secret: v.pipe(
      v.boolean(),
      v.description('Whether the setting is secret. The value of a secret setting is never returned.'),
    ),
    value: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The value; `set` or `not set` for a secret setting. Null if the setting is not set and has no default.',
      ),
    ),
  }),
)

const database = named(
  'InstallationDatabase',
  'The database of the process that answers.',
  v.object({
    embedded: v.pipe(v.boolean(), v.description('Whether this process started the database and is its only user.')),
    reachable: v.boolean(),
    acceptsWrites: v.pipe(
      v.boolean(),
      v.description(
        'Whether the database accepts writes. If it is read-only, or its disk is full, it does not, and requests that change something fail.',
      ),
    ),
    version: v.pipe(
      v.nullable(v.string()),
      v.description('The version of PostgreSQL. Null if the database cannot be reached.'),
    ),
    pendingMigrations: v.pipe(
      v.array(v.string()),
      v.description('The migrations of this program that are not applied yet. The next start applies them.'),
    ),
    unknownMigrations: v.pipe(
      v.array(v.string()),
      v.description('The applied migrations of a newer program. This process must be updated.'),
    ),
    clockSkewMs: v.pipe(
      v.nullable(int),
      v.description(
        'The milliseconds by which the clock of this process is ahead of the database’s clock. Up to 2,000 in either direction are allowed. Null if the database cannot be reached.',
      ),
    ),
    historyStalledSeconds: v.pipe(
      int,
      v.description(
        'The number of seconds for which an open transaction has held back subscriptions to the transitions of a kind. 0 if less than 10.',
      ),
    ),
    historyStalledBy: v.pipe(
      v.nullable(v.string()),
      v.description('The description of that transaction and its owner. Null if there is none.'),
    ),
  }),
)

const process = named(
  'InstallationProcess',
  'A process of the server on this database.',
  v.object({
    id: v.string(),
    answers: v.pipe(v.boolean(), v.description('Whether this process answers the request.')),
    lastSeenAt: dateTime,
  }),
)

export const installationStatusSchema = named(
  'InstallationStatus',
  'The status of the installation.',
  v.object({
    version: v.string(),
    nodeVersion: v.string(),
    production: v.boolean(),
    startedAt: dateTime,
    uptimeSeconds: int,
    database,
    listeners: atMost(listenersMax, listener),
    processes: v.pipe(
      atMost(processesMax, process),
      v.description(
        `The processes that sent a heartbeat in the last seconds, the first ${processesMax}. Empty if the database cannot be reached.`,
      ),
    ),
    processCount: int,
    settings: atMost(settingsMax, setting),
  }),
)

export type InstallationStatus = v.InferOutput<typeof installationStatusSchema>
export type ShownSetting = InstallationStatus['settings'][number]

export const installationStatus = query({
  name: 'installationStatus',
  description:
    'Returns the status of the installation: version, database, listeners, processes and settings, without secrets.',
  access: 'people',
  cost: 20,
  tool: {
    group: 'discovery',
    name: 'get_installation_status',
    title: 'Get the status of the installation',
    description:
      'Returns the status of the installation: the version and uptime of the server, its database (version, embedded or not, ' +
      'reachable, pending migrations), its processes, its listeners, and all settings with their values. Secrets are only ' +
      '`set` or `not set`. Use it if the service itself seems to be faulty, or to see its configuration.',
  },
  input: undefined,
  output: installationStatusSchema,
})
