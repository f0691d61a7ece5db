/**
 * Patterns of files in a checkout: paths with `/`, in which `*` and `?` match within a name, and `**` as a whole name matches any number of
 * folders. A pattern that is a folder's path matches nothing: write `dist/**`.
 */

const segmentsMax = 50

/** Returns the reason why the text is no pattern, or undefined if it is one. */
export function checkPattern(pattern: string): string | undefined {
  const segments = pattern.split('/')
  if (pattern.startsWith('/')) return 'it begins with "/"'
  if (pattern.includes('\\')) return 'it has a backslash: write "/" between folders'
  if (segments.length > segmentsMax) return `it has more than ${segmentsMax} folders`
  if (segments.some((segment) => segment === '')) return 'it has an empty name'
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'it has "." or ".." as a name'
  if (segments.includes('.git')) return 'it is inside .git'
  if (segments.some((segment) => segment.includes('**') && segment !== '**')) return '"**" is not a whole name'
  return undefined
}

/** Compares a path in a checkout, with `/`, with a pattern that `checkPattern` allows. */
export function matchesPattern(pattern: string, path: string): boolean {
  return matchesFrom(pattern.split('/'), 0, path.split('/'), 0)
}

/** Whether files that match can be below this folder, so that a search need not enter the others. */
export function mayMatchBelow(pattern: string, folder: string): boolean {
  const patterns = pattern.split('/')
  const names = folder.split('/')
  for (const [index, name] of names.entries()) {
    const segment = patterns[index]
    if (segment === '**') return true
    if (segment === undefined || index === patterns.length - 1 || !matchesName(segment, name)) return false
  }
  return true
}

/** At most (segments of the pattern) × (segments of the path) steps for each `**`, because a later `**` makes an earlier one final. */
function matchesFrom(patterns: readonly string[], from: number, names: readonly string[], at: number): boolean {
  let index = from
  let position = at
  let retry: { readonly index: number; position: number } | undefined
  while (position < names.length) {
    const segment = patterns[index]
    if (segment === '**') {
      retry = { index: index + 1, position }
      index += 1
    } else if (segment !== undefined && matchesName(segment, names[position] ?? '')) {
      index += 1
      position += 1
    } else if (retry !== undefined) {
      retry.position += 1
      index = retry.index
      position = retry.position
    } else return false
  }
  // A trailing `**` needs a file below the folder, which it has matched.
  return index === patterns.length
}

function matchesName(pattern: string, name: string): boolean {
  let index = 0
  let position = 0
  let retry: { readonly index: number; position: number } | undefined
  while (position < name.length) {
    const character = pattern[index]
    if (character === '*') {
      retry = { index: index + 1, position }
      index += 1
    } else if (character === '?' || (character !== undefined && character === name[position])) {
      index += 1
      position += 1
    } else if (retry !== undefined) {
      retry.position += 1
      index = retry.index
      position = retry.position
    } else return false
  }
  while (pattern[index] === '*') index += 1
  return index === pattern.length
}
