/** The data with which tests create an actor of each kind, and one plausible payload for each of its events. */
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { type ActorKind, actorKinds } from '../../../../spec/core/ids.ts'
import { accounts } from './accounts.ts'
import { agents } from './agents.ts'
import { apps } from './apps.ts'
import { builds } from './builds.ts'
import { devices } from './devices.ts'
import { hosts } from './hosts.ts'
import type { KindSamples, Payload } from './kindSamples.ts'
import { operators } from './operators.ts'
import { runs } from './runs.ts'
import { telemetry } from './telemetry.ts'
import { tools } from './tools.ts'
import { views } from './views.ts'
import { work } from './work.ts'
import { worktrees } from './worktrees.ts'

export { at } from './common.ts'

const samples: Readonly<Record<ActorKind, KindSamples>> = {
  ...accounts,
  ...agents,
  ...apps,
  ...builds,
  ...devices,
  ...hosts,
  ...operators,
  ...runs,
  ...telemetry,
  ...tools,
  ...views,
  ...work,
  ...worktrees,
}

type Init = Readonly<Record<string, Json>>

export const inits: Readonly<Record<ActorKind, Init>> = ofEachKind(({ init }) => init)

export const otherInits: Readonly<Record<ActorKind, readonly Init[]>> = ofEachKind(({ init, otherInits = [] }) =>
  otherInits.map((other) => ({ ...init, ...other })),
)

export const openings: Readonly<Record<ActorKind, readonly ActorEvent[]>> = ofEachKind(({ openings = [] }) => openings)

export const events: Readonly<Record<ActorKind, Readonly<Record<string, Payload>>>> = ofEachKind(({ events }) => events)

function ofEachKind<T>(read: (samples: KindSamples) => T): Readonly<Record<ActorKind, T>> {
  return Object.fromEntries(actorKinds.map((kind) => [kind, read(samples[kind])])) as Record<ActorKind, T>
}
