/**
 * An import of presets that was carried out. It starts and ends at the commit. The catalog (`mcpToolPreset`) decides about it. A refused
 * import has no actor.
 */
import { setup } from 'xstate'
import type { ActorEvent } from '../../spec/core/actor.ts'
import type { PresetKind } from '../../spec/tools/presets/presetKinds.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type PresetImportInit = {
  readonly by: string
  readonly createdAt: number
  readonly skipped: number
  readonly presets: readonly {
    readonly presetId: string
    readonly action: 'CREATE' | 'REPLACE'
    readonly name: string
    readonly kind: PresetKind
  }[]
}

interface PresetImportContext extends MachineContext {
  readonly init: PresetImportInit
}

const machine = setup({ types: typesOf<PresetImportContext, ActorEvent>() }).createMachine({
  id: 'presetImport',
  context: ({ input: { init } }) => ({ init }),
  initial: 'COMMITTED',
  states: { COMMITTED: { tags: 'terminal', meta: { label: 'Carried out' } } },
})

export const presetImport = define({ kind: 'presetImport', version: 1, machine, effects: ['tell'], operable: false })
