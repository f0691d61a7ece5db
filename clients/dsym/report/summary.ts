/** Describes the uploads of a step, for its log and for the summary page of GitHub. */
import type { CompletedUpload } from '../send/uploadApi.ts'
import { cleanText } from './cleanText.ts'

export interface ZipResult {
  readonly filename: string
  /** Undefined: the upload has failed. */
  readonly completed: CompletedUpload | undefined
  /** The reason of the failure. */
  readonly failure: string | undefined
}

/** GitHub refuses a summary of more than 1 MiB. */
const mostRows = 1_000

interface ImageRow {
  readonly name: string
  readonly version: string
  readonly arch: string
  readonly uuid: string
}

export function summaryLines(results: readonly ZipResult[]): readonly string[] {
  return results.flatMap(({ filename, completed }) => {
    if (completed === undefined) return [`${filename}: failed`]
    const rows = imageRows(completed)
    const width = Math.max(0, ...rows.map(({ name }) => name.length))
    return [
      `${filename}: ${describe(completed)}`,
      ...rows.map(({ name, version, arch, uuid }) =>
        `  ${uuid}  ${arch.padEnd(8)}  ${name.padEnd(width)}  ${version}`.trimEnd(),
      ),
    ]
  })
}

/**
 * Markdown. Names are text in it, whatever they contain.
 * @param mask removes secrets, before their punctuation is escaped
 */
export function summaryMarkdown(results: readonly ZipResult[], mask: (text: string) => string): string {
  const row = (...cells: readonly string[]) => `| ${cells.map((text) => escapeCell(mask(text))).join(' | ')} |`
  const zips = results.map(({ filename, completed, failure }) =>
    row(filename, completed === undefined ? `failed: ${failure ?? ''}` : describe(completed)),
  )
  const rows = results.flatMap(({ completed }) => (completed === undefined ? [] : imageRows(completed)))
  const images = rows.slice(0, mostRows).map(({ name, version, arch, uuid }) => row(name, version, arch, uuid))
  const rest = rows.length > mostRows ? [`${rows.length - mostRows} more images are in the log of the step.`, ''] : []
  return [
    '### dSYMs',
    '',
    '| zip | result |',
    '|---|---|',
    ...zips,
    '',
    ...(images.length > 0 ? ['| dSYM | version | architecture | UUID |', '|---|---|---|---|', ...images, ''] : []),
    ...rest,
    '',
  ].join('\n')
}

function describe({ id, status, duplicateOf, dsyms, crashesToSymbolicate }: CompletedUpload): string {
  if (status === 'DUPLICATE') return `the server has it already (upload ${duplicateOf ?? id}). Nothing was stored again`
  const crashes = crashesToSymbolicate === 0 ? '' : `, ${crashesToSymbolicate} crash reports are symbolicated`
  return `${dsyms.length} dSYMs indexed (upload ${id})${crashes}`
}

function imageRows({ dsyms }: CompletedUpload): readonly ImageRow[] {
  return dsyms.flatMap(({ name, version, build, images }) =>
    images.map(({ uuid, arch }) => ({
      name,
      version: build === '' ? version : `${version} (${build})`,
      arch,
      uuid,
    })),
  )
}

/** Punctuation becomes references to characters, so that a name is neither Markdown nor HTML, nor mentions a user. */
function escapeCell(text: string): string {
  return cleanText(text, 300).replace(/[^\p{L}\p{N}\s,:().…-]|https?(?=:)|www(?=\.)/gu, (match) =>
    [...match].map((character) => `&#${character.codePointAt(0)};`).join(''),
  )
}
