/**
 * The catalog of MCP tool presets: one actor, which the first start creates. Its members are the presets. Rules over several presets
 * are checked here, in one transition and so in one commit: no two presets of a kind have the same name, and an import changes either all
 * presets that it names or none. Every reader sees an import completely or not at all, also after a crash.
 */
import { setup } from 'xstate'
import { actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import { type PresetEvent, planned } from './presetChanges.ts'
import { presetMembers } from './presetKeys.ts'

export interface PresetCatalogContext extends MachineContext {
  readonly id: string
  readonly members: Members
  /** The number of presets. */
  readonly presets: number
}

const on = actOn<PresetCatalogContext, PresetEvent>()

const changed = (context: PresetCatalogContext, event: PresetEvent) => {
  const { puts = [], removes = [] } = planned(context.members, event)
  let { members } = context
  for (const id of removes) members = members.without(presetMembers.preset.toKey(id))
  for (const { id, preset } of puts) members = members.with(presetMembers.preset.toKey(id), preset)
  return { set: { members, presets: members.size } }
}

const machine = setup({
  types: typesOf<PresetCatalogContext, PresetEvent>(),
  actions: {
    add: on('add', changed),
    update: on('update', changed),
    remove: on('remove', changed),
    import: on('import', (context, event) => ({
      ...changed(context, event),
      // An import is recorded under its own ID, permanently and exactly once.
      tell: [
        {
          to: { kind: 'presetImport', id: event.importId },
          event: { type: 'create' },
          create: {
            by: event.by,
            createdAt: event.at,
            skipped: event.skipped,
            presets: event.puts.map(({ presetId, replaces, name, kind }) => ({
              presetId,
              action: replaces === null ? 'CREATE' : 'REPLACE',
              name,
              kind,
            })),
          },
        },
      ],
    })),
  },
}).createMachine({
  id: 'mcpToolPreset',
  context: ({ input: { id, init } }) => ({ init, id, members: Members.empty, presets: 0 }),
  initial: 'OPEN',
  states: {
    OPEN: {
      meta: { label: 'Open', waitsFor: 'people to change presets', unbounded: 'the catalog has no end' },
      on: {
        add: { actions: 'add' },
        update: { actions: 'update' },
        remove: { actions: 'remove' },
        import: { actions: 'import' },
      },
    },
  },
})

export const mcpToolPreset = define({
  kind: 'mcpToolPreset',
  version: 1,
  machine,
  effects: ['tell'],
  refuse: ({ context }, event) => planned(context.members, event).failure,
  operable: true,
})
