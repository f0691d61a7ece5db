/** The rows of a list in a form, which the user adds, removes and moves. The fields of a row keep their values, because it keeps its key. */
import { createStore } from '@xstate/store'

export interface FormRow<T> {
  readonly key: number
  /** The value from which the row is made. The values that the user types are only in the fields. */
  readonly value: T
}

interface RowsContext<T> {
  readonly rows: readonly FormRow<T>[]
  readonly nextKey: number
}

export function createRowsStore<T>(values: readonly T[]) {
  const initial: RowsContext<T> = { rows: values.map((value, key) => ({ key, value })), nextKey: values.length }
  return createStore({
    context: initial,
    on: {
      added: ({ rows, nextKey }, { value }: { value: T }): RowsContext<T> => ({
        rows: [...rows, { key: nextKey, value }],
        nextKey: nextKey + 1,
      }),
      removed: (context, { key }: { key: number }): RowsContext<T> => ({
        ...context,
        rows: context.rows.filter((row) => row.key !== key),
      }),
      changed: (context, { key, value }: { key: number; value: T }): RowsContext<T> => ({
        ...context,
        rows: context.rows.map((row) => (row.key === key ? { key, value } : row)),
      }),
      /** Exchanges the row with the one before it. */
      movedUp: (context, { key }: { key: number }): RowsContext<T> => {
        const index = context.rows.findIndex((row) => row.key === key)
        const [before, row] = [context.rows[index - 1], context.rows[index]]
        if (before === undefined || row === undefined) return context
        return { ...context, rows: context.rows.with(index - 1, row).with(index, before) }
      },
    },
  })
}

export type RowsStore<T> = ReturnType<typeof createRowsStore<T>>
