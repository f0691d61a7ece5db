/**
 * A certificate, a profile or a key with which builds are signed. Users are notified 30 days before it expires, and when it has expired.
 *
 * Its file and passwords are encrypted. They are a member, which is deleted when the asset is archived, and never part of `init`, which is
 * stored permanently.
 */
import { setup } from 'xstate'
import { type SigningAssetKind, signingExpiryDays, signingVariable } from '../../../spec/builds/signing/signingEnums.ts'
import type { SigningFacts } from '../../../spec/builds/signing/signingFacts.ts'
import { notify } from '../../devices/notify.ts'
import { act, actOn } from '../../framework/act.ts'
import { define, type MachineContext, type StoredState, typesOf } from '../../framework/define.ts'
import { Members } from '../../framework/members.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../../framework/revision.ts'
import { signingAssetMembers } from './signingAssetKeys.ts'

export type SigningAssetInit = {
  readonly kind: SigningAssetKind
  readonly name: string
  readonly createdBy: string
  readonly createdAt: number
}

export type SigningFile = {
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  readonly hasPassword: boolean
}

export interface SigningAssetContext extends MachineContext, Revised {
  readonly init: SigningAssetInit
  readonly members: Members
  readonly id: string
  readonly name: string
  /** Null until the bytes are stored. */
  readonly file: SigningFile | null
  readonly facts: SigningFacts | null
  readonly updatedAt: number
}

type Store = {
  type: 'store'
  at: number
  sealed: string
  /** The SHA-256 of each UDID of a provisioning profile. */
  devices: readonly string[]
  file: SigningFile
  facts: SigningFacts
} & ExpectsRevision

export type SigningAssetEvent =
  | Store
  | ({ type: 'rename'; at: number; name: string } & ExpectsRevision)
  /** The same file, encrypted under another key. Ignored if the file has been replaced since. */
  | { type: 'reseal'; at: number; from: string; to: string }
  | ({ type: 'archive'; at: number } & ExpectsRevision)
  /** Begins the deadlines of an asset that was stored before they were part of the machine. */
  | { type: 'migrated'; at: number }

const on = actOn<SigningAssetContext, SigningAssetEvent>()

const dayMs = 86_400_000

/** Returns the milliseconds until a time. */
const until = (time: number, { at }: { readonly at: number }): number => Math.max(0, time - at)
const expiryOf = ({ facts }: SigningAssetContext): number => facts?.expiresAt ?? 0

const announce = (item: 'SIGNING_ASSET_EXPIRING' | 'SIGNING_ASSET_EXPIRED') =>
  act<SigningAssetContext, SigningAssetEvent, SigningAssetEvent>(({ context: { name }, event: { at } }) => ({
    effects: [notify({ reason: 'ACTION_NEEDED', item, at, name })],
  }))

/** To the state of an asset that expires, or to that of one that does not. `active` is their path as the transition names it. */
const begin = <P extends 'ACTIVE.' | '.'>(active: P, actions: readonly ('storeFirst' | 'replace')[] = []) =>
  [
    { guard: 'expires', target: `${active}VALID`, actions },
    { target: `${active}LASTING`, actions },
  ] as const

const machine = setup({
  types: typesOf<SigningAssetContext, SigningAssetEvent>(),
  delays: {
    notice: ({ context, event }) => until(expiryOf(context) - signingExpiryDays * dayMs, event),
    expiry: ({ context, event }) => until(expiryOf(context), event),
  },
  guards: {
    // A file that is stored by this event is not part of the context yet.
    expires: ({ context, event }) => (event.type === 'store' ? event.facts : context.facts)?.expiresAt != null,
    hasExpired: ({ context, event }) => expiryOf(context) <= event.at,
  },
  actions: {
    announceNotice: announce('SIGNING_ASSET_EXPIRING'),
    announceExpiry: announce('SIGNING_ASSET_EXPIRED'),
    // The first file belongs to the creation, which is revision 1.
    storeFirst: on('store', (context, event) => ({ set: stored(context, event) })),
    replace: on('store', (context, event) => edit(context, stored(context, event))),
    rename: on('rename', (context, { name, at }) => edit(context, { name, updatedAt: at })),
    reseal: on('reseal', ({ members }, { from, to }) =>
      members.get(signingAssetMembers.sealed) === from
        ? { set: { members: members.with(signingAssetMembers.sealed, to) } }
        : {},
    ),
    destroy: on('archive', (context, { at }) =>
      edit(context, {
        members: context.members.without(signingAssetMembers.sealed).without(signingAssetMembers.devices),
        updatedAt: at,
      }),
    ),
  },
}).createMachine({
  id: 'signingAsset',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    name: init.name,
    file: null,
    facts: null,
    updatedAt: init.createdAt,
    revision: 1,
  }),
  initial: 'EMPTY',
  states: {
    EMPTY: {
      meta: { label: 'Empty', waitsFor: 'its file', unbounded: 'a person' },
      on: {
        store: begin('ACTIVE.', ['storeFirst']),
        rename: { actions: 'rename' },
        archive: { target: 'ARCHIVED', actions: 'destroy' },
      },
    },
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'builds', unbounded: 'a person archives it' },
      initial: 'LASTING',
      states: {
        LASTING: { meta: { label: 'Does not expire' } },
        VALID: {
          meta: { label: 'Valid', waitsFor: 'the 30th day before it expires' },
          after: {
            notice: [
              { guard: 'hasExpired', target: 'EXPIRED', actions: 'announceExpiry' },
              { target: 'EXPIRING', actions: 'announceNotice' },
            ],
          },
        },
        EXPIRING: {
          meta: { label: 'Expires soon', waitsFor: 'its expiry' },
          after: { expiry: { target: 'EXPIRED', actions: 'announceExpiry' } },
        },
        EXPIRED: { meta: { label: 'Expired' } },
      },
      on: {
        store: begin('.', ['replace']),
        migrated: begin('.'),
        rename: { actions: 'rename' },
        reseal: { actions: 'reseal' },
        archive: { target: 'ARCHIVED', actions: 'destroy' },
      },
    },
    ARCHIVED: { tags: 'terminal', meta: { label: 'Archived' } },
  },
})

function stored({ members }: SigningAssetContext, { sealed, devices, file, facts, at }: Store) {
  return {
    members: members.with(signingAssetMembers.sealed, sealed).with(signingAssetMembers.devices, devices),
    file,
    facts,
    updatedAt: at,
  }
}

/** The event `migrated` then begins its deadlines. */
const addExpiry = ({ value, context }: StoredState): StoredState => ({
  value: value === 'ACTIVE' ? { ACTIVE: 'LASTING' } : value,
  context,
})

export const signingAsset = define({
  kind: 'signingAsset',
  version: 2,
  migrations: { 1: addExpiry },
  machine,
  effects: ['tell', 'notify'],
  columns: ({ value, context: { name, facts } }) => ({
    uniqueKey: value === 'ARCHIVED' ? undefined : signingVariable(name),
    // Only assets that expire have the column by which the Action Center finds them.
    sortAt: value !== 'EMPTY' && value !== 'ARCHIVED' ? (facts?.expiresAt ?? undefined) : undefined,
  }),
  refuse: ({ context }, event) =>
    event.type === 'reseal' || event.type === 'migrated'
      ? undefined
      : refuseStale('The signing asset is', context, event),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'rename':
        return value !== 'ARCHIVED' && event.name === context.name && !isStale(context, event)
      case 'reseal':
        return context.members.get(signingAssetMembers.sealed) !== event.from
      case 'archive':
        return value === 'ARCHIVED'
      default:
        return false
    }
  },
  search: ({ value, context: { init, name, facts } }) => {
    if (value === 'ARCHIVED') return undefined
    const { certificate, profile, keystore, storeKey, teamId = null } = facts ?? {}
    const words = [
      init.kind.toLowerCase().replaceAll('_', ' '),
      teamId,
      certificate?.commonName,
      profile?.name,
      profile?.appId,
      ...(keystore?.entries.map(({ alias }) => alias) ?? []),
      storeKey?.keyId,
    ]
    return { title: name, text: words.filter(Boolean).join(' '), list: { text: '', marks: { kind: init.kind } } }
  },
  operable: true,
})
