/** The rows of a log of which some groups are folded: such a group has one row, with its title. */

/** Lines from `first` to before `end`. */
export interface FoldedLines {
  readonly first: number
  readonly end: number
}

interface Fold extends FoldedLines {
  readonly row: number
  /** The number of hidden lines up to its end. */
  readonly hidden: number
}

export class VisibleLines {
  /** The number of rows. */
  readonly count: number
  readonly #folds: readonly Fold[]

  /** @param folded in the order of their lines, without overlap */
  constructor(lineCount: number, folded: readonly FoldedLines[]) {
    let hidden = 0
    this.#folds = folded.map(({ first, end }) => {
      const row = first - hidden
      hidden += Math.max(0, end - first - 1)
      return { first, end, row, hidden }
    })
    this.count = lineCount - hidden
  }

  lineAt(row: number): number {
    const fold = this.#findLast((one) => one.row < row)
    return row + (fold?.hidden ?? 0)
  }

  /** Returns the row of a line, or of the title of its folded group. */
  rowOf(line: number): number {
    const fold = this.#findLast(({ first }) => first < line)
    if (fold === undefined) return line
    return line < fold.end ? fold.row : line - fold.hidden
  }

  /** Returns the last fold for which the condition holds. It holds for all folds before. */
  #findLast(isBefore: (fold: Fold) => boolean): Fold | undefined {
    let [low, high] = [0, this.#folds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const fold = this.#folds[middle]
      if (fold && isBefore(fold)) low = middle + 1
      else high = middle
    }
    return this.#folds[low - 1]
  }
}
