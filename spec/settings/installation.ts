/** The installation: the server, its database, its listeners and its settings, without secrets. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { atMost, dateTime, int, named } from '../core/types.ts'

/** Processes in the answer. */
export const processesMax = 100
const listenersMax = 3
/** More than the settings that exist. */
const settingsMax = 200

const listener = named(
  'InstallationListener',
  'An address and port that the server listens on.',
  v.object({
    name: named('InstallationListenerName', 'What it serves.', v.picklist(['MAIN', 'AGENTS', 'METRICS'])),
    host: v.string(),
    port: int,
  }),
)

const setting = named(
  'InstallationSetting',
  'A setting as it counts in the process that answers.',
  v.object({
    name: v.string(),
    set: v.pipe(v.boolean(), v.description('The environment gives it; otherwise it has its default.')),
    secret: v.pipe(v.boolean(), v.description('Its value is shown to nobody.')),
    value: v.pipe(
      v.nullable(v.string()),
      v.description('`set` or `not set` where it is secret; null where it is not set and has no default.'),
    ),
  }),
)

const database = named(
  'InstallationDatabase',
  'The database as the process that answers sees it.',
  v.object({
    embedded: v.pipe(v.boolean(), v.description('It was started by this process, and belongs to it alone.')),
    reachable: v.boolean(),
    version: v.pipe(v.nullable(v.string()), v.description('Null where it can’t be reached.')),
    pendingMigrations: v.pipe(
      v.array(v.string()),
      v.description('Of this program, and not carried out yet; the start carries them out.'),
    ),
    unknownMigrations: v.pipe(
      v.array(v.string()),
      v.description('Carried out by a newer program: this process is to be brought up to date.'),
    ),
    clockSkewMs: v.pipe(
      v.nullable(int),
      v.description(
        'By how much the clock of this process is ahead of the database’s; 2,000 either way are allowed. Null if the database can’t be reached.',
      ),
    ),
    historyStalledSeconds: v.pipe(
      int,
      v.description('For how long an open transaction has held back subscriptions to the steps of a kind; 0 below 10.'),
    ),
    historyStalledBy: v.pipe(v.nullable(v.string()), v.description('That transaction, and whose it is.')),
  }),
)

const process = named(
  'InstallationProcess',
  'A process of the service on this database.',
  v.object({
    id: v.string(),
    answers: v.pipe(v.boolean(), v.description('It is the one that answers.')),
    lastSeenAt: dateTime,
  }),
)

export const installationStatusSchema = named(
  'InstallationStatus',
  'What runs here.',
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
  description: 'What runs here: version, database, listeners, processes and settings without secrets.',
  access: 'people',
  cost: 20,
  tool: {
    group: 'discovery',
    name: 'get_installation_status',
    title: 'Get the status of the installation',
    description:
      'What runs here: the server’s version and uptime, its database (version, embedded or not, reachable, pending migrations), ' +
      'the processes on it, its listeners, and every setting with its value, secrets only as `set` or `not set`. Use it when the ' +
      'service itself seems wrong, or to see how it is set up.',
  },
  input: undefined,
  output: installationStatusSchema,
})
