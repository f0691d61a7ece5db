/**
 * Groups of lines that a command marks in its output. Source: the workflow commands of GitHub Actions (`::group::`) and the formatting
 * commands of Azure Pipelines (`##[group]`). Groups are not nested: the next one ends the one before.
 */

export interface LogGroup {
  readonly title: string
  /** The line with the title. */
  readonly first: number
  /** The line after its last one. Undefined until the group ends. */
  readonly end: number | undefined
}

/** More groups than this are shown as plain lines. */
export const maxGroups = 10_000

const beginning = /^(?:::group::|##\[group\])(.*)$/
const ending = /^(?:::endgroup::|##\[endgroup\])/
const [colon, hash] = [58, 35]

/** Returns whether a line that begins with this byte may mark a group. Most lines need not be decoded so. */
export function mayMarkGroup(firstByte: number | undefined): boolean {
  return firstByte === colon || firstByte === hash
}

function readGroupTitle(text: string): string | undefined {
  return beginning.exec(text)?.[1]?.trim()
}

export function endsGroup(text: string): boolean {
  return ending.test(text)
}

export class LogGroups {
  readonly #groups: LogGroup[] = []
  #isChanged = false

  /** Receives a line that has ended. */
  add(line: number, text: string): void {
    const title = readGroupTitle(text)
    if (title === undefined && !endsGroup(text)) return
    const last = this.#groups.at(-1)
    // Of two streams, an earlier line may end later. It marks nothing then.
    if (last && line < (last.end ?? last.first)) return
    if (last && last.end === undefined) {
      this.#groups[this.#groups.length - 1] = { ...last, end: title === undefined ? line + 1 : line }
      this.#isChanged = true
    }
    if (title === undefined || this.#groups.length >= maxGroups) return
    this.#groups.push({ title, first: line, end: undefined })
    this.#isChanged = true
  }

  /** Returns all groups in the order of their lines if they have changed since the last call. */
  takeChanged(): readonly LogGroup[] | undefined {
    if (!this.#isChanged) return undefined
    this.#isChanged = false
    return this.#groups
  }
}
