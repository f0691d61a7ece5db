/** A named recipe for the builds of a repository. Each change of its content is a version, which is kept. */
import { setup } from 'xstate'
import type { BuildConfigurationContent } from '../../spec/builds/configurationContent.ts'
import type { OnPush } from '../../spec/builds/onPush.ts'
import { Failure } from '../../spec/core/failure.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'
import {
  type BuildConfigurationVersion,
  buildConfigurationKey,
  buildConfigurationMembers,
} from './buildConfigurationKeys.ts'

export type BuildConfigurationInit = {
  readonly repositoryId: string
  readonly content: BuildConfigurationContent
  readonly createdBy: string
  readonly createdAt: number
}

/** Its revision is the number of its last version. */
export interface BuildConfigurationContext extends MachineContext, Revised {
  readonly init: BuildConfigurationInit
  /** The versions. */
  readonly members: Members
  readonly id: string
  readonly name: string
  readonly description: string
  /** Those of the last version. Configurations from before there were signing assets have none. */
  readonly signingAssets?: readonly string[]
  readonly updatedAt: number
  /** That of the last version, by which pushes find the configuration. Absent in configurations of before there were such builds. */
  readonly onPush?: OnPush | null
}

type Update = { type: 'update'; at: number; content: BuildConfigurationContent; author: string } & ExpectsRevision

export type BuildConfigurationEvent = Update | { type: 'archive'; at: number } | { type: 'unarchive'; at: number }

/** The maximum number of versions. All of them are in memory while the configuration is changed. */
const versionsMax = 200

const on = actOn<BuildConfigurationContext, BuildConfigurationEvent>()

const machine = setup({
  types: typesOf<BuildConfigurationContext, BuildConfigurationEvent>(),
  actions: {
    update: on('update', (context, { content, author, at }) => {
      const version: BuildConfigurationVersion = { ...content, author, at }
      const members = context.members.with(buildConfigurationMembers.version(context.revision + 1), version)
      const { name, description, signingAssets = [], onPush = null } = content
      return edit(context, { name, description, signingAssets, onPush, members, updatedAt: at })
    }),
  },
}).createMachine({
  id: 'buildConfiguration',
  context: ({ input: { id, init } }) => {
    const { content, createdBy: author, createdAt: at } = init
    const { name, description, signingAssets = [], onPush = null } = content
    const members = Members.empty.with(buildConfigurationMembers.version(1), { ...content, author, at })
    return { init, members, id, name, description, signingAssets, onPush, updatedAt: at, revision: 1 }
  },
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'Active', waitsFor: 'builds', unbounded: 'a person archives it' },
      on: { update: { actions: 'update' }, archive: 'ARCHIVED' },
    },
    ARCHIVED: {
      meta: { label: 'Archived', unbounded: 'a person unarchives it' },
      on: { unarchive: 'ACTIVE' },
    },
  },
})

/** Whether the event has the content of the last version. */
function repeatsContent({ members, revision }: BuildConfigurationContext, { content }: Update): boolean {
  const last = members.get(buildConfigurationMembers.version(revision)) as BuildConfigurationVersion | undefined
  return last !== undefined && JSON.stringify(toValues(last)) === JSON.stringify(toValues(content))
}

/** In a fixed order, because storage does not keep the order of keys. */
function toValues(content: BuildConfigurationContent) {
  const { platforms, architectures, tools, tags = [] } = content.requirements
  return [
    content.name,
    content.description,
    content.steps.map(({ name, command }) => [name, command]),
    content.environment.map(({ name, value }) => [name, value]),
    content.artifacts,
    content.artifactRetentionDays,
    (content.destinations ?? []).map(({ name, command, artifact }) => [name, command, artifact]),
    (content.coverageReports ?? []).map(({ format, pattern }) => [format, pattern]),
    content.signingAssets ?? [],
    content.signingForRuns ?? false,
    [platforms, architectures, tools, tags],
    content.onPush ? [content.onPush.branches, content.onPush.worktreeId] : null,
    content.timeoutSeconds,
  ]
}

export const buildConfiguration = define({
  kind: 'buildConfiguration',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init, name } }) => ({
    uniqueKey: value === 'ACTIVE' ? buildConfigurationKey(init.repositoryId, name) : undefined,
    scopeId: init.repositoryId,
  }),
  refuse: ({ context }, event) => {
    if (event.type !== 'update') return undefined
    const stale = refuseStale('The build configuration is', context, event)
    if (stale !== undefined || context.revision < versionsMax) return stale
    return new Failure(
      'FAILED_PRECONDITION',
      `The build configuration has ${versionsMax} versions, which is the maximum. Archive it, and create a new one with its name.`,
      { details: { versions: versionsMax } },
    )
  },
  // Not its steps and variables, because they may contain confidential data.
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
  operatorEvents: {
    archive: { label: 'Archive build configuration' },
    unarchive: { label: 'Unarchive build configuration' },
  },
})
