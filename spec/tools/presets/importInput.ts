/** The input of an import: the document, and what to do with each of its presets. */
import * as v from 'valibot'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { idOf, int, named, text } from '../../core/types.ts'
import { presetName } from './preset.ts'
import { serverId } from './servers.ts'

export const importActions = ['CREATE', 'REPLACE', 'SKIP'] as const

export const importAction = named(
  'McpToolPresetImportAction',
  'The action for a preset of the document. CREATE: a new preset is created. REPLACE: it replaces an existing preset. SKIP: it is not imported.',
  v.picklist(importActions),
)

export const decision = named(
  'McpToolPresetImportDecision',
  'The decision for one preset of the document. A preset without a decision is created under its own name.',
  v.object({
    index: v.pipe(int, v.minValue(0), v.description('The index of the preset in the document’s presets, from 0.')),
    action: importAction,
    name: v.pipe(v.nullish(presetName), v.description('A name that replaces the document’s. Not with SKIP.')),
    targetId: v.pipe(
      v.nullish(idOf('mcpToolPreset')),
      v.description(
        'The ID of the preset that is replaced. It is required with REPLACE and refused otherwise. The replaced preset keeps its ID.',
      ),
    ),
  }),
)

const mapping = named(
  'McpToolPresetServerMapping',
  'The configured server for a server key of the document.',
  v.object({ serverKey: text({ min: 1, max: 64 }), serverId }),
)

/** The setting has the real limit. This one only rejects absurd sizes before the document is parsed. */
const mostCharacters = 64 * 1024 * 1024

export const importInput = named(
  'McpToolPresetImportInput',
  'A document of presets, and the decisions about them. Preview it first, then send it again unchanged with the token of the preview.',
  v.object({
    document: v.pipe(
      v.string(),
      v.maxLength(mostCharacters),
      v.check((document) => document.isWellFormed(), 'must not contain lone surrogates'),
      v.description('The document, JSON serialized as a string, as an export returns it in content.'),
    ),
    decisions: v.pipe(
      v.nullish(v.pipe(v.array(decision), v.maxLength(1_000))),
      v.description('The decisions about presets of the document. A preset without a decision is created.'),
    ),
    serverMappings: v.pipe(
      v.nullish(v.pipe(v.array(mapping), v.maxLength(1_000))),
      v.description('The external server of this installation for each `serverKey` of the document.'),
    ),
    previewToken: v.pipe(
      v.nullish(text({ max: 2_000 })),
      v.description('The token of the preview. It is required for an import and ignored by a preview.'),
    ),
    idempotencyKey,
  }),
)
