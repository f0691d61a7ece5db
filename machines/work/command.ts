/** A named template of a prompt or of a shell command, with arguments. Each change of its content is a version, which is kept. */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import type { CommandContent, CommandKind } from '../../spec/work/commands/content.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import { type CommandVersion, commandKey, commandMembers } from './commandKeys.ts'

export type CommandInit = {
  /** Null if it is for all repositories of the installation. */
  readonly repositoryId: string | null
  readonly content: CommandContent
  readonly createdBy: string
  readonly createdAt: number
}

/** Its revision is the number of its last version. */
export interface CommandContext extends MachineContext, Revised {
  readonly init: CommandInit
  /** The versions. */
  readonly members: Members
  readonly id: string
  readonly name: string
  readonly description: string
  readonly kind: CommandKind
  readonly updatedAt: number
}

type Update = { type: 'update'; at: number; content: CommandContent; author: string } & ExpectsRevision

export type CommandEvent = Update | { type: 'archive'; at: number } | { type: 'unarchive'; at: number }

/** The maximum number of versions. All of them are in memory while the command is changed: at most some 20 MB. */
export const versionsMax = 200

const on = actOn<CommandContext, CommandEvent>()

const shown = ({ name, description, kind }: CommandContent) => ({ name, description, kind })

const machine = setup({
  types: typesOf<CommandContext, CommandEvent>(),
  actions: {
    update: on('update', (context, { content, author, at }) => {
      const version: CommandVersion = { ...content, author, at }
      const members = context.members.with(commandMembers.version(context.revision + 1), version)
      return edit(context, { ...shown(content), members, updatedAt: at })
    }),
  },
}).createMachine({
  id: 'command',
  context: ({ input: { id, init } }) => {
    const { content, createdBy: author, createdAt: at } = init
    const members = Members.empty.with(commandMembers.version(1), { ...content, author, at })
    return { init, members, id, ...shown(content), updatedAt: at, revision: 1 }
  },
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'calls', unbounded: 'a person archives it' },
      on: { update: { actions: 'update' }, archive: 'ARCHIVED' },
    },
    ARCHIVED: {
      meta: { label: 'Archived', unbounded: 'a person unarchives it' },
      on: { unarchive: 'ACTIVE' },
    },
  },
})

/** Whether the event has the content of the last version. */
function repeatsContent({ members, revision }: CommandContext, { content }: Update): boolean {
  const last = members.get(commandMembers.version(revision)) as CommandVersion | undefined
  return last !== undefined && JSON.stringify(toValues(last)) === JSON.stringify(toValues(content))
}

/** In a fixed order, because storage does not keep the order of keys. */
function toValues({ name, description, kind, template, arguments: declared }: CommandContent) {
  const values = declared.map((one) => [one.name, one.description, one.type, one.choices, one.default, one.required])
  return [name, description, kind, template, values]
}

export const command = define({
  kind: 'command',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init, name } }) => ({
    uniqueKey: value === 'ACTIVE' ? commandKey(init.repositoryId, name) : undefined,
    scopeId: init.repositoryId ?? undefined,
  }),
  refuse: ({ context }, event) => {
    if (event.type !== 'update') return undefined
    const stale = refuseStale('The command is', context, event)
    if (stale !== undefined || context.revision < versionsMax) return stale
    return new Failure(
      'FAILED_PRECONDITION',
      `The command has ${versionsMax} versions, which is the maximum. Archive it, and create a new one with its name.`,
      { details: { versions: versionsMax } },
    )
  },
  // Not its template, because it may contain confidential data.
  search: ({ context: { name, description } }) => ({ title: name, text: description }),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'update':
        return value === 'ACTIVE' && !isStale(context, event) && repeatsContent(context, event)
      case 'archive':
        return value === 'ARCHIVED'
      case 'unarchive':
        return value === 'ACTIVE'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: { archive: { label: 'Archive command' }, unarchive: { label: 'Unarchive command' } },
})
