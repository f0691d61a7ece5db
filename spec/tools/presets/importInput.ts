/** The input of an import: the document, and what to do with each of its presets. */
import * as v from 'valibot'
import { idempotencyKey } from '../../agents/enrollments.ts'
import { idOf, int, named, text } from '../../core/types.ts'
import { presetName } from './preset.ts'
import { serverId } from './servers.ts'

export const importActions = ['CREATE', 'REPLACE', 'SKIP'] as const

export const importAction = named(
  'McpToolPresetImportAction',
  'What becomes of a preset of the document: it is made anew, takes the place of one that there is, or is left out.',
  v.picklist(importActions),
)

export const decision = named(
  'McpToolPresetImportDecision',
  'What is to become of one preset of the document. Without one, it is made anew under its own name.',
  v.object({
    index: v.pipe(int, v.minValue(0), v.description('Its place in the document’s presets, from 0.')),
    action: importAction,
    name: v.pipe(v.nullish(presetName), v.description('Another name than the document’s. Not with SKIP.')),
    targetId: v.pipe(
      v.nullish(idOf('mcpToolPreset')),
      v.description('With REPLACE, and only then: the preset whose place it takes. That one keeps its ID.'),
    ),
  }),
)

const mapping = named(
  'McpToolPresetServerMapping',
  'Which configured server a key of the document stands for.',
  v.object({ serverKey: text({ min: 1, max: 64 }), serverId }),
)

/** The setting has the real limit. This one only rejects absurd sizes before the document is parsed. */
const mostCharacters = 64 * 1024 * 1024

export const importInput = named(
  'McpToolPresetImportInput',
  'A document of presets, and what is to become of them. Previewed first, then sent again unchanged with the token of the preview.',
  v.object({
    document: v.pipe(
      v.string(),
      v.maxLength(mostCharacters),
      v.check((document) => document.isWellFormed(), 'must not contain lone surrogates'),
      v.description('The document, JSON serialized as a string, as an export gives it in content.'),
    ),
    decisions: v.pipe(
      v.nullish(v.pipe(v.array(decision), v.maxLength(1_000))),
      v.description('What becomes of presets of the document; one that is not named is created.'),
    ),
    serverMappings: v.pipe(
      v.nullish(v.pipe(v.array(mapping), v.maxLength(1_000))),
      v.description('Which external server here each `serverKey` of the document stands for.'),
    ),
    previewToken: v.pipe(
      v.nullish(text({ max: 2_000 })),
      v.description('Of the preview, which passes it over; an import must have it.'),
    ),
    idempotencyKey,
  }),
)
