/**
 * A folder with instructions and files for coding CLIs. Each change of its content is a version, which is kept. The bytes of a version are
 * stored before the version, under the ID of an actor that the version creates.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { skillVersionsMax } from '../../spec/work/skills/skillLimits.ts'
import type { SkillContent } from '../../spec/work/skills/skillVersion.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import { type SkillVersion, skillKey, skillMembers, skillScope } from './skillKeys.ts'

export type SkillInit = {
  /** Null if it is for all repositories of the installation. */
  readonly repositoryId: string | null
  readonly content: SkillContent
  readonly createdBy: string
  readonly createdAt: number
}

/** Its revision is the number of its last version. */
export interface SkillContext extends MachineContext, Revised {
  readonly init: SkillInit
  /** The versions. */
  readonly members: Members
  readonly id: string
  readonly name: string
  readonly description: string
  readonly sha256: string
  readonly size: number
  readonly archiveSize: number
  readonly fileCount: number
  readonly updatedAt: number
}

type Update = { type: 'update'; at: number; content: SkillContent; author: string } & ExpectsRevision

export type SkillEvent = Update | { type: 'archive'; at: number } | { type: 'unarchive'; at: number }

const action = act<SkillContext, SkillEvent, SkillEvent>
const on = actOn<SkillContext, SkillEvent>()

const shown = ({ name, description, sha256, size, archiveSize, files }: SkillContent) => ({
  ...{ name, description, sha256, size, archiveSize },
  fileCount: files.length,
})

/** Marks the bytes of a version as used, so that they are kept. */
const createContent = (skillId: string, { contentId }: SkillContent, createdAt: number): Tell => ({
  to: { kind: 'skillContent', id: contentId },
  event: { type: 'create' },
  create: { skillId, createdAt },
})

const machine = setup({
  types: typesOf<SkillContext, SkillEvent>(),
  actions: {
    keepFirst: action(({ context: { id, init } }) => ({ tell: [createContent(id, init.content, init.createdAt)] })),
    update: on('update', (context, { content, author, at }) => {
      const version: SkillVersion = { ...content, author, at }
      const members = context.members.with(skillMembers.version(context.revision + 1), version)
      const outcome = edit(context, { ...shown(content), members, updatedAt: at })
      return { ...outcome, tell: [createContent(context.id, content, at)] }
    }),
  },
}).createMachine({
  id: 'skill',
  context: ({ input: { id, init } }) => {
    const { content, createdBy: author, createdAt: at } = init
    const members = Members.empty.with(skillMembers.version(1), { ...content, author, at })
    return { init, members, id, ...shown(content), updatedAt: at, revision: 1 }
  },
  initial: 'ACTIVE',
  entry: 'keepFirst',
  states: {
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'runs of its scope', unbounded: 'a person archives it' },
      on: { update: { actions: 'update' }, archive: 'ARCHIVED' },
    },
    ARCHIVED: {
      meta: { label: 'Archived', unbounded: 'a person unarchives it' },
      on: { unarchive: 'ACTIVE' },
    },
  },
})

export const skill = define({
  kind: 'skill',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init, name } }) => ({
    uniqueKey: value === 'ACTIVE' ? skillKey(init.repositoryId, name) : undefined,
    scopeId: skillScope(init.repositoryId),
  }),
  refuse: ({ context }, event) => {
    if (event.type !== 'update') return undefined
    const stale = refuseStale('The skill is', context, event)
    if (stale !== undefined || context.revision < skillVersionsMax) return stale
    return new Failure(
      'FAILED_PRECONDITION',
      `The skill has ${skillVersionsMax} versions, which is the maximum. Archive it, and create a new one with its name.`,
      { details: { versions: skillVersionsMax } },
    )
  },
  // Not its files, because they may contain confidential data.
  search: ({ context: { name, description } }) => ({ title: name, text: description }),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'update': {
        const { name, sha256 } = event.content
        return value === 'ACTIVE' && !isStale(context, event) && name === context.name && sha256 === context.sha256
      }
      case 'archive':
        return value === 'ARCHIVED'
      case 'unarchive':
        return value === 'ACTIVE'
      default:
        return false
    }
  },
  operable: true,
  operatorEvents: { archive: { label: 'Archive skill' }, unarchive: { label: 'Unarchive skill' } },
})
