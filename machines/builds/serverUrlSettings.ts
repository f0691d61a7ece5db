/**
 * The origins that people have set for the server instead of the detected ones. It is one actor, which is created with the database. Nothing
 * is set until a user sets it.
 */
import { setup } from 'xstate'
import { noServerUrlOverrides, type ServerUrlOverrides } from '../../spec/builds/serverUrls.ts'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { type ExpectsRevision, edit, isStale, type Revised, refuseStale } from '../framework/revision.ts'

export interface ServerUrlSettingsContext extends MachineContext, Revised, ServerUrlOverrides {
  readonly id: string
}

/** Omitted fields stay unchanged. */
export type ServerUrlSettingsEvent = { type: 'save'; at: number } & Partial<ServerUrlOverrides> & ExpectsRevision

const on = actOn<ServerUrlSettingsContext, ServerUrlSettingsEvent>()

const machine = setup({
  types: typesOf<ServerUrlSettingsContext, ServerUrlSettingsEvent>(),
  actions: { save: on('save', (context, event) => edit(context, saved(context, event))) },
}).createMachine({
  id: 'serverUrlSettings',
  context: ({ input: { id, init } }) => ({ init, id, ...noServerUrlOverrides, revision: 1 }),
  initial: 'ACTIVE',
  states: {
    ACTIVE: {
      meta: { label: 'In force', waitsFor: 'people to change them', unbounded: 'settings have no end' },
      on: { save: { actions: 'save' } },
    },
  },
})

const fields = ['localUrlOverride', 'remoteUrlOverride', 'proxyUrlOverride', 'defaultKind'] as const

function saved(context: ServerUrlSettingsContext, event: ServerUrlSettingsEvent): ServerUrlOverrides {
  const { localUrlOverride, remoteUrlOverride, proxyUrlOverride, defaultKind } = { ...context, ...given(event) }
  return { localUrlOverride, remoteUrlOverride, proxyUrlOverride, defaultKind }
}

function given(event: ServerUrlSettingsEvent): Partial<ServerUrlOverrides> {
  return Object.fromEntries(fields.flatMap((field) => (event[field] === undefined ? [] : [[field, event[field]]])))
}

export const serverUrlSettings = define({
  kind: 'serverUrlSettings',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ context }, event) => refuseStale('The server URLs are', context, event),
  repeats: ({ context }, event) => {
    const after = saved(context, event)
    return !isStale(context, event) && fields.every((field) => after[field] === context[field])
  },
  operable: true,
})
