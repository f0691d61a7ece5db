import * as v from 'valibot'
import type { Limits } from '../../../../spec/core/limits.ts'
import { text } from '../../../../spec/core/types.ts'
import { serverKey } from '../../../../spec/tools/presets/document.ts'
import { mostTools, presetName } from '../../../../spec/tools/presets/preset.ts'
import { presetKinds } from '../../../../spec/tools/presets/presetKinds.ts'
import { builtinName, rawName } from '../../../../spec/tools/presets/selections.ts'
import { findArrayForObject, notAnObject } from '../../core/arrayForObject.ts'
import { findRepeated, selectionKey } from './preset.ts'

const documentFormat = 'svc.mcp-presets.export'
const schemaVersion = 1

const tool = v.variant('source', [
  v.strictObject({ source: v.literal('BUILTIN'), name: builtinName }),
  v.strictObject({ source: v.literal('EXTERNAL'), serverKey, name: rawName }),
])

const preset = v.strictObject({
  name: presetName,
  kind: v.picklist(presetKinds),
  tools: v.pipe(v.array(tool), v.maxLength(mostTools, `must have at most ${mostTools} tools`)),
})

const problemText = text({ max: 100 })
const optionalText = v.optional(text({ max: 10_000 }))

/** The tools from which an author of a document can choose. An import ignores it. */
const catalog = v.strictObject({
  complete: v.boolean(),
  builtin: v.array(v.strictObject({ name: text({ max: 64 }), title: optionalText, description: optionalText })),
  servers: v.array(
    v.strictObject({
      serverKey,
      name: v.nullable(text({ max: 1_000 })),
      available: v.boolean(),
      problem: v.optional(problemText),
      tools: v.array(v.strictObject({ name: text({ max: 256 }), title: optionalText, description: optionalText })),
    }),
  ),
})

const document = v.strictObject({
  format: v.literal(documentFormat, `must be "${documentFormat}"`),
  schemaVersion: v.literal(schemaVersion, `must be ${schemaVersion}: this server supports no other version`),
  presets: v.array(preset),
  catalog: v.optional(catalog),
})

export type PresetDocument = v.InferOutput<typeof document>
export type DocumentPreset = PresetDocument['presets'][number]
export type DocumentTool = DocumentPreset['tools'][number]
export type DocumentCatalog = NonNullable<PresetDocument['catalog']>

export interface DocumentProblem {
  /** The path in the import's input, such as `document.presets[2].tools[0].name`. */
  readonly path: string
  readonly code: 'DOCUMENT_TOO_LARGE' | 'TOO_MANY_PRESETS' | 'NOT_JSON' | 'INVALID_DOCUMENT' | 'DUPLICATE_TOOL'
  readonly message: string
}

export type DocumentLimits = Pick<Limits, 'presetDocumentBytes' | 'presetDocumentPresets'>

export type ReadDocument =
  | { readonly document: PresetDocument; readonly problems?: undefined }
  | { readonly document?: undefined; readonly problems: readonly DocumentProblem[] }

export const documentBytes = (content: string): number => Buffer.byteLength(content)

export function readDocument(content: string, limits: DocumentLimits): ReadDocument {
  const singleProblem = (code: DocumentProblem['code'], message: string, path = 'document'): ReadDocument => ({
    problems: [{ path, code, message }],
  })
  if (documentBytes(content) > limits.presetDocumentBytes)
    return singleProblem('DOCUMENT_TOO_LARGE', `must have at most ${limits.presetDocumentBytes} bytes.`)
  let given: unknown
  try {
    given = JSON.parse(content)
  } catch {
    return singleProblem('NOT_JSON', 'must be JSON.')
  }
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return singleProblem('INVALID_DOCUMENT', 'must be an object: { format, schemaVersion, presets }.')
  // The number is checked first, so that a document with too many presets costs little.
  const count = countPresets(given)
  if (count > limits.presetDocumentPresets)
    return singleProblem(
      'TOO_MANY_PRESETS',
      `has ${count} presets, but a document has at most ${limits.presetDocumentPresets}.`,
      'document.presets',
    )
  const array = findArrayForObject(document, given)
  if (array) return singleProblem('INVALID_DOCUMENT', `${notAnObject}.`, formatPath(array))
  const result = v.safeParse(document, given)
  if (!result.success) {
    const problems = result.issues.map((issue) => ({
      path: formatPath((issue.path ?? []).map(({ key }) => key)),
      code: 'INVALID_DOCUMENT' as const,
      message: describeIssue(issue),
    }))
    return { problems }
  }
  const problems = result.output.presets.flatMap(findDuplicates)
  return problems.length > 0 ? { problems } : { document: result.output }
}

function countPresets({ presets }: { readonly presets?: unknown }): number {
  return Array.isArray(presets) ? presets.length : 0
}

function formatPath(keys: readonly unknown[]): string {
  return ['document', ...keys].reduce<string>(appendKey, '')
}

function appendKey(path: string, key: unknown): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const name = String(key)
  if (path === '') return name
  return /^\w{1,64}$/.test(name) ? `${path}.${name}` : `${path}[?]`
}

/** Valibot's own messages quote the input, which may be long, so they are replaced. */
function describeIssue({ type, kind, expected, message }: v.BaseIssue<unknown>): string {
  if (kind === 'schema' && expected === 'never') return 'is not a field of this document.'
  const own = /^must /.test(message)
  if (own) return `${message}.`
  if (type === 'strict_object') return 'must be an object with all fields of this document.'
  return expected === null ? 'is not a valid value here.' : `must be ${expected}.`
}

function findDuplicates({ tools }: DocumentPreset, index: number): DocumentProblem[] {
  const pair = findRepeated(tools.map(documentToolKey))
  if (pair === undefined) return []
  const message = `is the same tool as tools[${pair[0]}].`
  return [{ path: `document.presets[${index}].tools[${pair[1]}]`, code: 'DUPLICATE_TOOL', message }]
}

function documentToolKey(tool: DocumentTool): string {
  return selectionKey(
    tool.source === 'BUILTIN' ? tool : { source: 'EXTERNAL', serverId: tool.serverKey, name: tool.name },
  )
}

/** The same presets result in the same bytes. */
export function writeDocument(presets: readonly DocumentPreset[], catalog?: DocumentCatalog): string {
  const content = { format: documentFormat, schemaVersion, presets, ...(catalog && { catalog }) }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

interface DocumentSizes {
  readonly presets: number
  /** The tools of all presets. */
  readonly tools: number
  /** Servers that its tools need. */
  readonly servers: number
}

/** The sizes of the lists in a document. All are 0 if it is not valid JSON: it is refused then. */
export function documentSizes(text: string): DocumentSizes {
  let presets: readonly unknown[]
  try {
    presets = listIn((JSON.parse(text) as { readonly presets?: unknown } | null)?.presets)
  } catch {
    return { presets: 0, tools: 0, servers: 0 }
  }
  const tools = presets.flatMap((one) => listIn((one as { readonly tools?: unknown } | null)?.tools))
  const servers = new Set(tools.map((one) => (one as { readonly serverKey?: unknown } | null)?.serverKey))
  return { presets: presets.length, tools: tools.length, servers: servers.size }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
