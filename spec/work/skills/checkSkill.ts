/** The rules of a skill's content that concern its bytes, or several of its files. */
import { Failure } from '../../core/failure.ts'
import { parseFrontMatter } from './frontMatter.ts'
import type { SkillArchiveFile } from './skillArchive.ts'
import type { SkillInput } from './skillInput.ts'
import { skillBytesMax, skillDescriptionMax, skillFileBytesMax } from './skillLimits.ts'
import { describePathProblem, fold, skillManifest } from './skillPath.ts'

export interface CheckedSkill {
  readonly name: string
  /** From the front matter of the manifest. */
  readonly description: string
  readonly files: readonly SkillArchiveFile[]
}

/** @throws Failure BAD_USER_INPUT */
export function checkSkill({ name, files: given }: SkillInput): CheckedSkill {
  for (const [index, { path }] of given.entries()) {
    const problem = describePathProblem(path)
    if (problem !== undefined) throw refusal(`files.${index}.path`, `${shown(path)} ${problem}`)
  }
  refuseConflicts(given.map(({ path }) => path))
  const files = given.map(({ path, content, executable }, index) => ({
    path,
    executable: executable ?? false,
    bytes: toBytes(content, `files.${index}.content`),
  }))
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > skillBytesMax)
    throw refusal('files', `the files have ${total} bytes in total. A skill can have at most ${skillBytesMax}.`)
  return { name, description: readDescription(name, files), files }
}

function readDescription(name: string, files: readonly SkillArchiveFile[]): string {
  const index = files.findIndex(({ path }) => path === skillManifest)
  const manifest = files[index]
  if (manifest === undefined) throw refusal('files', `there is no file "${skillManifest}". Add it.`)
  const field = `files.${index}.content`
  const front = parseFrontMatter(decode(manifest.bytes, field))
  if ('problem' in front) throw refusal(field, `${skillManifest}, line ${front.line}: ${front.problem}`)
  if (front.name !== name)
    throw refusal(
      field,
      front.name === undefined
        ? `the front matter of ${skillManifest} has no name. Add "name: ${name}".`
        : `the front matter of ${skillManifest} has the name ${shown(front.name)}, and the skill has "${name}". Change one of them.`,
    )
  const { description = '' } = front
  const length = [...description].length
  if (length === 0)
    throw refusal(
      field,
      `the front matter of ${skillManifest} has no description. Add "description: …" with what the skill is for.`,
    )
  if (length > skillDescriptionMax)
    throw refusal(
      field,
      `the description of ${skillManifest} has ${length} characters. It can have at most ${skillDescriptionMax}.`,
    )
  return description
}

/** Two paths of one file, and a path below a file. */
function refuseConflicts(paths: readonly string[]): void {
  const known = new Map<string, number>()
  for (const [index, path] of paths.entries()) {
    const folded = fold(path)
    const other = known.get(folded)
    if (other !== undefined) {
      const isSame = paths[other] === path
      const why = isSame ? '' : ` Some file systems do not distinguish it from ${shown(paths[other] ?? '')}.`
      throw refusal(`files.${index}.path`, `${shown(path)} is there twice.${why} Keep one of them.`)
    }
    known.set(folded, index)
  }
  for (const [index, path] of paths.entries()) {
    const names = fold(path).split('/')
    for (let depth = 1; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join('/')
      if (known.has(folder))
        throw refusal(
          `files.${index}.path`,
          `${shown(path)} is below ${shown(folder)}, which is a file. Rename one of them.`,
        )
    }
  }
}

function toBytes(content: SkillInput['files'][number]['content'], field: string): Uint8Array {
  const bytes =
    content.text === undefined ? fromBase64(content.base64, `${field}.base64`) : encode(content.text, `${field}.text`)
  if (bytes.length > skillFileBytesMax)
    throw refusal(field, `the file has ${bytes.length} bytes. It can have at most ${skillFileBytesMax}.`)
  return bytes
}

function encode(text: string, field: string): Uint8Array {
  if (/\p{Cs}/u.test(text)) throw refusal(field, 'it is not well-formed Unicode. Give the bytes in base64.')
  return new TextEncoder().encode(text)
}

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function fromBase64(text: string, field: string): Uint8Array {
  if (!base64Form.test(text))
    throw refusal(field, 'it is not base64. Use A to Z, a to z, 0 to 9, + and /, and "=" at the end.')
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function decode(bytes: Uint8Array, field: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusal(field, `${skillManifest} is not UTF-8. Store it as UTF-8.`)
  }
}

const shown = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text)

function refusal(field: string, message: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${message}`, { details: { field } })
}
