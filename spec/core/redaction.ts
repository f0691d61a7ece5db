/**
 * What of an actor nobody is shown, by kind: credentials' hashes, passwords' hashes, what a device is known by. The machines' own
 * rules are made of it.
 */
import type { ActorRow, Json } from './actor.ts'
import type { ActorKind } from './ids.ts'

export interface Redaction {
  /** Keys of event payloads, by event type. */
  readonly events?: Readonly<Record<string, readonly string[]>>
  readonly context?: readonly string[]
  /** Keys of what the actor was made with. */
  readonly init?: readonly string[]
}

export const redaction = {
  user: {
    events: { create: ['passwordHash'], changePassword: ['passwordHash'] },
    context: ['passwordHash'],
    init: ['passwordHash'],
  },
  authSession: { events: { create: ['tokenHash'] }, init: ['tokenHash'] },
  authCode: {
    events: { create: ['codeHash', 'challenge'], redeem: ['challenge'] },
    init: ['codeHash', 'challenge'],
  },
  apiKey: { events: { create: ['tokenHash'] }, init: ['tokenHash'] },
  registration: { events: { register: ['passwordHash'] } },
  enrollment: { events: { create: ['tokenHash'], claim: ['keyHash'] }, context: ['keyHash'], init: ['tokenHash'] },
  agent: {
    events: { create: ['credentialHash'], rotate: ['newHash'], recredential: ['hash'], credentialUsed: ['hash'] },
    context: ['credential'],
    init: ['credentialHash'],
  },
  job: { events: { accept: ['tokenHash'] }, context: ['token'] },
  device: {
    events: { create: ['udidHash'], enrolled: ['identifiers'] },
    context: ['identifiers'],
    init: ['udidHash'],
  },
  deviceEnrollment: {
    events: { create: ['tokenHash', 'challenge'], answer: ['identifiers'] },
    init: ['tokenHash', 'challenge'],
  },
  run: { events: { jobChanged: ['token'], tokenIssued: ['hash'] }, context: ['token'] },
  integration: {
    events: { setSecret: ['secret'], reseal: ['from', 'to'] },
    context: ['secret', 'previousSecret'],
  },
  mcpServer: { events: { setHeaders: ['set'], reseal: ['from', 'to'] }, context: ['headers'] },
  // Sealed as they are, they are nobody's business but Apple's.
  apnsDevice: { events: { register: ['token'] }, context: ['token'], init: ['token'] },
  notificationDevice: { events: { register: ['token'] }, context: ['token'], init: ['token'] },
} as const satisfies Partial<Record<ActorKind, Redaction>>

const rules: Partial<Record<ActorKind, Redaction>> = redaction

export function redactedContext(row: ActorRow): Record<string, Json> {
  return without(row.context, rules[row.kind]?.context)
}

export function redactedInit(row: ActorRow): Record<string, Json> {
  return without(row.init, rules[row.kind]?.init)
}

function without(record: Readonly<Record<string, Json>>, keys: readonly string[] = []): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, keys.includes(key) && value !== null ? '[redacted]' : value]),
  )
}
