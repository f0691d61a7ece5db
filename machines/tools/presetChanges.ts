/** Computes the changes of a message to the presets: the rows to write and to remove, or the reason of a refusal. */
import { Failure } from '../../spec/core/failure.ts'
import { type KeptPreset, mostPresets, presetNameKey } from '../../spec/tools/presets/preset.ts'
import type { PresetKind } from '../../spec/tools/presets/presetKinds.ts'
import type { ToolSelection } from '../../spec/tools/tool.ts'
import type { Members } from '../framework/members.ts'
import { type ExpectsRevision, refuseStale } from '../framework/revision.ts'
import { presetMembers } from './presetKeys.ts'

export interface PresetContent {
  readonly name: string
  readonly kind: PresetKind
  readonly tools: readonly ToolSelection[]
}

export type PresetEvent =
  | ({ type: 'add'; at: number; presetId: string } & PresetContent)
  /** Omitted fields stay unchanged. `legacy`: the caller cannot name tools of other servers, and does not see those that the preset has. */
  | ({
      type: 'update'
      at: number
      presetId: string
      legacy?: boolean
    } & Partial<PresetContent> &
      ExpectsRevision)
  | ({ type: 'remove'; at: number; presetId: string } & ExpectsRevision)
  | {
      type: 'import'
      at: number
      importId: string
      by: string
      skipped: number
      puts: readonly ImportedPreset[]
    }

export interface ImportedPreset extends PresetContent {
  readonly presetId: string
  /** The revision of the replaced preset at the time of the review. */
  readonly replaces: number | null
}

export interface Change {
  readonly puts?: readonly { readonly id: string; readonly preset: KeptPreset }[]
  readonly removes?: readonly string[]
}

export type Planned = Change & { readonly failure?: Failure | undefined }

const kept = (members: Members, id: string) =>
  members.get(presetMembers.preset.toKey(id)) as unknown as KeptPreset | undefined

export function planned(members: Members, event: PresetEvent): Planned {
  const change = changeOf(members, event)
  return 'failure' in change ? change : { ...change, failure: problemAfter(members, change) }
}

function changeOf(members: Members, event: PresetEvent): Planned {
  switch (event.type) {
    case 'add': {
      const { at, presetId, name, kind, tools } = event
      return put([presetId, { name, kind, tools, revision: 1, createdAt: at, changedAt: at }])
    }
    case 'update': {
      const before = kept(members, event.presetId)
      if (before === undefined) return { failure: gone(event.presetId) }
      const failure =
        refuseStale('The preset is', before, event) ?? (event.legacy === true ? notForLegacy(before) : undefined)
      if (failure !== undefined) return { failure }
      const { name = before.name, kind = before.kind, tools = before.tools, at: changedAt } = event
      const { createdAt, revision } = before
      return put([event.presetId, { name, kind, tools, revision: revision + 1, createdAt, changedAt }])
    }
    case 'remove': {
      const before = kept(members, event.presetId)
      const failure = before === undefined ? gone(event.presetId) : refuseStale('The preset is', before, event)
      return failure === undefined ? { removes: [event.presetId] } : { failure }
    }
    case 'import':
      return imported(members, event)
    default:
      return {}
  }
}

function imported(members: Members, { at, puts }: Extract<PresetEvent, { type: 'import' }>): Planned {
  const rows: [string, KeptPreset][] = []
  for (const { presetId, replaces, name, kind, tools } of puts) {
    const before = kept(members, presetId)
    if ((before?.revision ?? null) !== replaces) return { failure: reviewedAnother(presetId, before) }
    const { revision, createdAt } = before ?? { revision: 0, createdAt: at }
    rows.push([presetId, { name, kind, tools, revision: revision + 1, createdAt, changedAt: at }])
  }
  return put(...rows)
}

function put(...rows: readonly (readonly [string, KeptPreset])[]): Change {
  return { puts: rows.map(([id, preset]) => ({ id, preset })) }
}

/** Checks the rules over all presets after the change. */
function problemAfter(members: Members, { puts = [], removes = [] }: Change): Failure | undefined {
  const names = new Map<string, string>()
  const touched = new Set([...removes, ...puts.map(({ id }) => id)])
  for (const [key, value] of members.range(presetMembers.preset.prefix)) {
    const id = presetMembers.preset.toId(key)
    const { kind, name } = value as unknown as KeptPreset
    if (!touched.has(id)) names.set(presetNameKey(kind, name), id)
  }
  for (const { id, preset } of puts) {
    const key = presetNameKey(preset.kind, preset.name)
    const other = names.get(key)
    if (other !== undefined) return nameTaken(preset, other)
    names.set(key, id)
  }
  return names.size > mostPresets && puts.length > 0 ? tooMany() : undefined
}

function gone(id: string): Failure {
  return new Failure('NOT_FOUND', `There is no preset ${id}. mcpToolPresets lists the existing presets.`, {
    details: { field: 'presetId', id },
  })
}

function notForLegacy({ tools }: KeptPreset): Failure | undefined {
  if (tools.every(({ source }) => source === 'BUILTIN')) return undefined
  return new Failure(
    'FAILED_PRECONDITION',
    'This preset has tools of external servers, which toolNames can’t name and would remove. Upgrade the client: send all tools in the field tools.',
    { details: { field: 'toolNames' } },
  )
}

function nameTaken({ kind, name }: KeptPreset, id: string): Failure {
  return new Failure('CONFLICT', `Another ${kind} preset is called “${name}” already (${id}). Choose another name.`, {
    details: { field: 'name', id },
  })
}

function tooMany(): Failure {
  return new Failure(
    'FAILED_PRECONDITION',
    `There are at most ${mostPresets} presets. Delete those that no one uses.`,
    {
      details: { limit: mostPresets },
    },
  )
}

function reviewedAnother(id: string, before: KeptPreset | undefined): Failure {
  const what = before === undefined ? 'was deleted' : 'was changed'
  return new Failure(
    'CONFLICT',
    `The preset ${id} ${what} since the preview. Nothing was imported. Preview the import again.`,
    {
      details: { field: 'previewToken', id },
    },
  )
}
