/** Converts the form of a skill to its content. The names of the fields are those of the API, so that each error finds its field. */
import { skillManifest } from '../../../../../spec/work/skills/skillPath.ts'
import type { FormRow } from '../workflows/rowsStore.ts'
import { withName } from './manifest.ts'
import type { SkillInput } from './skill.ts'

/** A file as it was read or uploaded. A text is edited in the form, and other bytes are kept. */
export interface EditedFile {
  readonly path: string
  readonly text: string | null
  readonly base64: string | null
  readonly size: number
  readonly executable: boolean
}

/** @param formerName the name of the skill before. Empty for a new one */
export function readSkillForm(
  formData: FormData,
  rows: readonly FormRow<EditedFile>[],
  formerName: string,
): SkillInput {
  const name = String(formData.get('name') ?? '').trim()
  const files = rows.map(({ value: { base64 } }, index) => {
    const path = readPath(formData, index)
    // Browsers send line ends as CR LF.
    const text = String(formData.get(`files.${index}.content`) ?? '').replaceAll('\r\n', '\n')
    const content = path === skillManifest ? withName(text, name, formerName) : text
    return {
      path,
      content: base64 === null ? { text: content } : { base64 },
      executable: formData.has(`files.${index}.executable`),
    }
  })
  return { name, files }
}

export function readPath(formData: FormData, index: number): string {
  return String(formData.get(`files.${index}.path`) ?? '').trim()
}

/** Reads a file of the user's machine: as a text if it is UTF-8 without zero bytes. */
export async function readUploadedFile(file: File): Promise<EditedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = decodeText(bytes)
  return {
    path: file.name,
    text,
    base64: text === null ? encodeBase64(bytes) : null,
    size: bytes.length,
    executable: false,
  }
}

function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** In pieces, because a call takes a limited number of arguments. */
function encodeBase64(bytes: Uint8Array): string {
  const pieceLength = 8_192
  let text = ''
  for (let from = 0; from < bytes.length; from += pieceLength)
    text += String.fromCharCode(...bytes.subarray(from, from + pieceLength))
  return btoa(text)
}
