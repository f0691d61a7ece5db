/** Places the steps of a workflow in columns: each step is right of all steps that it needs. */

export interface GraphStep {
  readonly name: string
  readonly needs: readonly string[]
}

/** A place in the graph, in columns from the left and rows from the top. A row may be a fraction. */
export interface Place {
  readonly column: number
  readonly row: number
}

export interface StepLayout {
  /** The places of the steps, in their order. */
  readonly places: readonly Place[]
  /** The places that each arrow connects: a step, free places of the columns between, and a later step. */
  readonly arrows: readonly (readonly Place[])[]
  readonly columnCount: number
  readonly rowCount: number
}

/** An entry of a column: a step, or the free place through which an arrow passes. */
interface Slot {
  readonly before: readonly Slot[]
  readonly column: number
  row: number
}

/** Names that are not those of earlier steps are ignored: a form may have them for a moment. */
export function layoutSteps(steps: readonly GraphStep[]): StepLayout {
  const slots: Slot[] = []
  const columns: Slot[][] = []
  const chains: Slot[][] = []
  const addSlot = (column: number, before: readonly Slot[]): Slot => {
    const slot = { column, before, row: 0 }
    columns[column] = [...(columns[column] ?? []), slot]
    return slot
  }
  const ancestors: ReadonlySet<number>[] = []
  for (const { needs } of steps) {
    const direct = findDirectNeeds(steps, needs, ancestors)
    const column = Math.max(-1, ...direct.map((index) => slots[index]?.column ?? 0)) + 1
    const own = direct.flatMap((index) => {
      const chain = slots[index] === undefined ? [] : [slots[index]]
      for (let last = chain.at(-1); last !== undefined && last.column < column - 1; last = chain.at(-1))
        chain.push(addSlot(last.column + 1, [last]))
      return chain.length === 0 ? [] : [chain]
    })
    const slot = addSlot(
      column,
      own.flatMap((chain) => chain.at(-1) ?? []),
    )
    slots.push(slot)
    chains.push(...own.map((chain) => [...chain, slot]))
    ancestors.push(new Set(direct.flatMap((index) => [index, ...(ancestors[index] ?? [])])))
  }
  const rowCount = Math.max(0, ...columns.map(({ length }) => length))
  for (const column of columns) assignRows(column, rowCount)
  const toPlace = ({ column, row }: Slot): Place => ({ column, row })
  return {
    places: slots.map(toPlace),
    arrows: chains.map((chain) => chain.map(toPlace)),
    columnCount: columns.length,
    rowCount,
  }
}

/** Returns the indexes of the needed steps, without those that another needed step needs: their arrows would add nothing. */
function findDirectNeeds(
  steps: readonly GraphStep[],
  needs: readonly string[],
  ancestors: readonly ReadonlySet<number>[],
): readonly number[] {
  const indexes = [...new Set(needs)]
    .map((name) => steps.findIndex((step) => step.name === name))
    .filter((index) => index >= 0 && index < ancestors.length)
  return indexes.filter((index) => !indexes.some((other) => ancestors[other]?.has(index)))
}

/** Each slot is as near as possible to those before it, and a short column is in the middle. */
function assignRows(column: readonly Slot[], rowCount: number): void {
  const center = (slot: Slot) =>
    slot.before.length === 0 ? 0 : slot.before.reduce((sum, { row }) => sum + row, 0) / slot.before.length
  const sorted = column.map((slot) => ({ slot, center: center(slot) })).sort((a, b) => a.center - b.center)
  const first = (rowCount - column.length) / 2
  sorted.forEach(({ slot }, index) => {
    slot.row = first + index
  })
}
