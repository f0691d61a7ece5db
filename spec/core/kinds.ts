/**
 * The kinds of actors. Each is registered here once: ID prefixes, search, retention, redaction and the partitions of the database are
 * derived from this table. `machines/machines.ts` has the machine of each.
 */

/** The parts of an actor that are never shown: hashes of credentials and passwords, and values that identify a device. */
export interface Redaction {
  /** Keys of event payloads, by event type. */
  readonly events?: Readonly<Record<string, readonly string[]>>
  readonly context?: readonly string[]
  /** Keys of the actor's `init`. */
  readonly init?: readonly string[]
  /**
   * Keys with personal data of users. The journal stores them, because the transitions depend on them. Operators do not see them in a
   * context, an `init`, a payload or a change.
   */
  readonly personal?: readonly string[]
}

/** The bounds within which the terminal rows of a purged kind are kept. */
export interface PurgeRule {
  /** Days since they became terminal. */
  readonly days: number
  /** The most rows. The oldest are purged first. */
  readonly rows: number
}

interface Registration {
  /** The prefix of its IDs. No prefix is the beginning of another one or of a credential's prefix. */
  readonly prefix: string
  /**
   * Whether its machine provides a search document. Users and credentials are not searchable, and neither are actors that are
   * reached through the object that they belong to.
   */
  readonly isSearched?: true
  /** Whether its rows are purged some days after they became terminal: there are many of them, and nothing refers to them by then. */
  readonly isPurged?: true
  /** The bounds of a purged kind that differ from the usual ones. */
  readonly purgeRule?: Partial<PurgeRule>
  readonly redaction?: Redaction
}

export const kinds = Object.freeze({
  user: {
    prefix: 'usr',
    redaction: {
      events: { create: ['passwordHash'], changePassword: ['passwordHash'] },
      context: ['passwordHash'],
      init: ['passwordHash'],
      personal: ['email', 'identity'],
    },
  },
  authSession: { prefix: 'ase', redaction: { events: { create: ['tokenHash'] }, init: ['tokenHash'] } },
  authCode: {
    prefix: 'cod',
    redaction: {
      events: { create: ['codeHash', 'challenge'], redeem: ['challenge'] },
      init: ['codeHash', 'challenge'],
    },
  },
  apiKey: { prefix: 'key', redaction: { events: { create: ['tokenHash'] }, init: ['tokenHash'] } },
  registration: {
    prefix: 'reg',
    redaction: { events: { register: ['passwordHash'] }, personal: ['email', 'identity'] },
  },
  enrollment: {
    prefix: 'enr',
    redaction: { events: { create: ['tokenHash'], claim: ['keyHash'] }, context: ['keyHash'], init: ['tokenHash'] },
  },
  agent: {
    prefix: 'agt',
    isSearched: true,
    redaction: {
      events: { create: ['credentialHash'], rotate: ['newHash'], recredential: ['hash'], credentialUsed: ['hash'] },
      context: ['credential'],
      init: ['credentialHash'],
    },
  },
  job: { prefix: 'job', redaction: { events: { accept: ['tokenHash'] }, context: ['token'] } },
  repository: { prefix: 'rep', isSearched: true },
  codebase: { prefix: 'cbs', isSearched: true },
  worktree: { prefix: 'wt', isSearched: true },
  worktreeQueue: { prefix: 'que' },
  diffImage: { prefix: 'dfi', isPurged: true, purgeRule: { days: 1 } },
  run: {
    prefix: 'run',
    isSearched: true,
    redaction: { events: { jobChanged: ['token'], tokenIssued: ['hash'] }, context: ['token'] },
  },
  runAttachment: { prefix: 'att', isPurged: true },
  bulkRunAction: { prefix: 'bra', isPurged: true },
  plan: { prefix: 'pln', isSearched: true },
  session: { prefix: 'ses', isSearched: true },
  workflow: { prefix: 'wfl', isSearched: true },
  workflowExecution: { prefix: 'wfx' },
  workflowStep: { prefix: 'stp' },
  command: { prefix: 'cmd', isSearched: true },
  schedule: { prefix: 'sch', isSearched: true },
  skill: { prefix: 'skl', isSearched: true },
  skillContent: { prefix: 'skc' },
  buildConfiguration: { prefix: 'bcf', isSearched: true },
  build: { prefix: 'bld', isSearched: true },
  buildArtifact: { prefix: 'baf', isPurged: true },
  deployment: { prefix: 'dep', isSearched: true },
  artifactTransfer: { prefix: 'atr', isPurged: true },
  signingAsset: {
    prefix: 'sga',
    isSearched: true,
    redaction: { events: { store: ['sealed', 'devices'], reseal: ['from', 'to'] } },
  },
  integration: {
    prefix: 'int',
    isSearched: true,
    redaction: {
      events: { setSecret: ['secret'], reseal: ['from', 'to'] },
      context: ['secret', 'previousSecret'],
    },
  },
  webhookDelivery: { prefix: 'whd', isPurged: true },
  pushBuild: { prefix: 'pbd', isPurged: true, purgeRule: { days: 30 } },
  apnsDevice: {
    prefix: 'apd',
    isPurged: true,
    redaction: { events: { register: ['token'] }, context: ['token'], init: ['token'] },
  },
  notificationDevice: {
    prefix: 'ntd',
    isPurged: true,
    redaction: { events: { register: ['token'] }, context: ['token'], init: ['token'] },
  },
  notification: { prefix: 'ntf', isPurged: true },
  news: { prefix: 'nws', isPurged: true, purgeRule: { days: 30, rows: 100_000 } },
  readMarks: { prefix: 'rdm', redaction: { personal: ['readUpTo', 'newsIds', 'newsId'] } },
  device: {
    prefix: 'dev',
    isSearched: true,
    redaction: {
      events: { create: ['udidHash'], enrolled: ['identifiers'] },
      context: ['identifiers'],
      init: ['udidHash'],
    },
  },
  deviceEnrollment: {
    prefix: 'den',
    redaction: {
      events: { create: ['tokenHash', 'challenge'], answer: ['identifiers'] },
      init: ['tokenHash', 'challenge'],
    },
  },
  seenMarks: { prefix: 'snm', redaction: { personal: ['itemIds', 'goneItemIds'] } },
  savedView: { prefix: 'svw', redaction: { personal: ['name', 'query', 'columns'] } },
  telemetrySettings: { prefix: 'tel' },
  telemetryQuery: { prefix: 'tqy' },
  toolGrant: { prefix: 'tgr' },
  mcpToolPreset: { prefix: 'mtp' },
  presetImport: { prefix: 'mpi' },
  mcpServer: {
    prefix: 'mcs',
    isSearched: true,
    redaction: { events: { setHeaders: ['set'], reseal: ['from', 'to'] }, context: ['headers'] },
  },
  app: { prefix: 'app', isSearched: true },
  crashReport: { prefix: 'crs', isSearched: true },
  crashGroup: { prefix: 'cgr', isSearched: true },
  dsym: { prefix: 'dsy', isSearched: true },
  binaryImage: { prefix: 'img' },
  upload: { prefix: 'upl', isPurged: true },
  dsymUpload: { prefix: 'dsu', isPurged: true },
  serverUrlSettings: { prefix: 'sus' },
} as const satisfies Readonly<Record<string, Registration>>)

export type ActorKind = keyof typeof kinds

export const actorKinds: readonly ActorKind[] = Object.freeze(Object.keys(kinds) as ActorKind[])

export function isActorKind(name: string): name is ActorKind {
  return Object.hasOwn(kinds, name)
}

/** The kind in words: `crash report` for `crashReport`. */
export function kindWords(kind: ActorKind): string {
  return kind.replace(/[A-Z]/g, ' $&').toLowerCase()
}

type UpperSnake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? '' : '_'}${Uppercase<First>}${UpperSnake<Rest>}`
  : S

/** The public name of a kind: `WORKTREE_QUEUE` for `worktreeQueue`. */
export type KindName<K extends ActorKind = ActorKind> = UpperSnake<K>

export function kindName<K extends ActorKind>(kind: K): KindName<K> {
  return kind.replace(/[A-Z]/g, '_$&').toUpperCase() as KindName<K>
}

type KindsWith<Trait extends keyof Registration> = {
  [K in ActorKind]: (typeof kinds)[K] extends Readonly<Record<Trait, unknown>> ? K : never
}[ActorKind]

function kindsWith<Trait extends keyof Registration>(trait: Trait): readonly KindsWith<Trait>[] {
  return Object.freeze(actorKinds.filter((kind) => trait in kinds[kind]) as KindsWith<Trait>[])
}

export const searchedKinds = kindsWith('isSearched')
export const purgedKinds = kindsWith('isPurged')

const usualRule: PurgeRule = { days: 7, rows: Number.POSITIVE_INFINITY }

/** @param kind a purged kind */
export function purgeRuleOf(kind: ActorKind): PurgeRule {
  const { purgeRule }: Registration = kinds[kind]
  return { ...usualRule, ...purgeRule }
}

/** @returns empty rules if the kind has none */
export function redactionOf(kind: ActorKind): Redaction {
  const registration: Registration = kinds[kind]
  return registration.redaction ?? {}
}
