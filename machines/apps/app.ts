/**
 * A bundle identifier, to which builds, crash reports and dSYMs belong. It can be archived and restored. If only crash reports without a
 * credential have named it, it is unclaimed, and keeps a limited number of them.
 */
import { setup } from 'xstate'
import { appKey } from '../../spec/apps/bundleIdentifier.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import { appBuildKey } from './appKeys.ts'

export type AppInit = {
  readonly bundleIdentifier: string
  readonly name: string
  /** Set if it was created for a crash report without a credential. */
  readonly unclaimed?: true
  readonly createdBy: string
  readonly createdAt: number
}

/** A build that a crash report or a dSYM named. */
export type AppBuild = {
  readonly version: string
  readonly build: string
  /** Milliseconds since 1970. */
  readonly firstSeenAt: number
}

export interface AppContext extends MachineContext, Revised {
  readonly init: AppInit
  /** `AppBuild`, `appBuildKey` makes their keys. */
  readonly members: Members
  readonly id: string
  readonly name: string
}

export type AppEvent =
  | ({ type: 'rename'; at: number; name: string } & ExpectsRevision)
  /** A crash report or a dSYM belongs to this build. */
  | { type: 'buildSeen'; at: number; version: string; build: string }
  /** A caller with a credential has named it. Without a name it keeps its own. */
  | { type: 'claim'; at: number; name?: string }
  | { type: 'archive'; at: number }
  | { type: 'restore'; at: number }

const on = actOn<AppContext, AppEvent>()

const known = { rename: { actions: 'rename' }, buildSeen: { actions: 'noteBuild' } } as const

const machine = setup({
  types: typesOf<AppContext, AppEvent>(),
  guards: { isUnclaimed: ({ context }) => context.init.unclaimed === true },
  actions: {
    rename: on('rename', (context, { name }) => edit(context, { name })),
    claim: on('claim', (context, { name = context.name }) => edit(context, { name })),
    noteBuild: on('buildSeen', ({ members }, { at, version, build }) => ({
      set: {
        members: members.with(appBuildKey({ version, build }), { version, build, firstSeenAt: at } satisfies AppBuild),
      },
    })),
  },
}).createMachine({
  id: 'app',
  context: ({ input: { id, init } }) => ({ init, members: Members.empty, id, name: init.name, revision: 1 }),
  initial: 'NEW',
  states: {
    NEW: {
      meta: { label: 'New', waitsFor: 'nothing: it begins at once', unbounded: 'nothing: it begins at once' },
      always: [{ guard: 'isUnclaimed', target: 'UNCLAIMED' }, { target: 'ACTIVE' }],
    },
    UNCLAIMED: {
      meta: {
        label: 'Unclaimed',
        waitsFor: 'a person to create the app, or a script with a key to send a crash report or a dSYM',
        unbounded: 'the app may belong to no one here',
      },
      on: { ...known, claim: { target: 'ACTIVE', actions: 'claim' } },
    },
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'crash reports and dSYMs', unbounded: 'a person archives it' },
      on: { ...known, archive: 'ARCHIVED' },
    },
    // Shipped builds of an archived app still send crash reports.
    ARCHIVED: {
      meta: { label: 'Archived', waitsFor: 'a person to restore it', unbounded: 'a person restores it' },
      on: { ...known, restore: 'ACTIVE' },
    },
  },
})

export const app = define({
  kind: 'app',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({ uniqueKey: appKey(init.bundleIdentifier) }),
  search: ({ context: { init, name } }) => ({ title: name, text: init.bundleIdentifier }),
  refuse: ({ context }, event) => (event.type === 'rename' ? refuseStale('The app is', context, event) : undefined),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'rename':
        return event.name === context.name && !isStale(context, event)
      case 'buildSeen':
        return context.members.has(appBuildKey(event))
      case 'claim':
        // Another caller was first. If this caller gave a name, it is refused, because the app has the name that the first one gave.
        return value !== 'UNCLAIMED' && event.name === undefined
      case 'archive':
        return value === 'ARCHIVED'
      case 'restore':
        return value === 'ACTIVE'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: {
    claim: { label: 'Claim app' },
    archive: { label: 'Archive app' },
    restore: { label: 'Restore app' },
  },
})
