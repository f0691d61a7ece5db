/** The paths of the files in a skill. An agent creates these files below a folder, so no path may lead out of it. */
import { skillPathBytesMax, skillPathDepthMax } from './skillLimits.ts'

/** The manifest of a skill, in its top folder. */
export const skillManifest = 'SKILL.md'
/** The files that an agent adds to the folder of a placed skill. */
export const skillMarker = '.signalbox-skill.json'
export const skillIgnoreFile = '.gitignore'

const reserved: ReadonlySet<string> = new Set([skillMarker, skillIgnoreFile])

/** Control characters, and characters without a form of their own, with which two different names look the same. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const loneSurrogate = /\p{Cs}/u

/** Returns what is wrong with a path, and what is right. Undefined if it can be used. */
export function describePathProblem(path: string): string | undefined {
  if (path === '') return 'is empty. Give a relative path such as "scripts/check.sh".'
  if (loneSurrogate.test(path)) return 'is not well-formed Unicode. Give it in UTF-8.'
  const bytes = new TextEncoder().encode(path).length
  if (bytes > skillPathBytesMax) return `has ${bytes} bytes. It can have at most ${skillPathBytesMax}.`
  if (invisible.test(path)) return 'has control characters or invisible characters. Remove them.'
  if (path.includes('\\')) return 'has a backslash. Separate folders by "/".'
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute. Give a path relative to the skill’s folder.'
  const names = path.split('/')
  if (names.length > skillPathDepthMax)
    return `has ${names.length} parts. It can have at most ${skillPathDepthMax}, the file’s name included.`
  for (const name of names) {
    const problem = describeNameProblem(name)
    if (problem !== undefined) return problem
  }
  return names.length === 1 && reserved.has(fold(path))
    ? `is the name of a file that the agent writes. Rename it, or move it into a folder.`
    : undefined
}

function describeNameProblem(name: string): string | undefined {
  if (name === '') return 'has an empty part. Remove the superfluous "/".'
  if (name === '.' || name === '..') return `has the part "${name}". Give a path without "." and "..".`
  if (/[. ]$/.test(name)) return `has the part "${name}", which ends with a period or a blank. Rename it.`
  // The second one is its short name on file systems of Windows.
  if (['.git', 'git~1'].includes(fold(name))) return `has the part "${name}", which git uses for itself. Rename it.`
  return undefined
}

/** The same for two paths that are one file on a file system that ignores case or the form of accents. */
export function fold(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC')
}
