/**
 * How lists are sent in a statement. A text column is one parameter: its values are separated by U+001E, null is U+001F, and
 * `string_to_array` splits it. A number column is an array literal.
 */
import { CommitFailed } from '../../actors/ports/journal.ts'
import { numberArray } from '../sql/sql.ts'

const SEPARATOR = '\x1e'
const NULL = '\x1f'

/** The SQL that splits a text column into its values. */
export function unframe(placeholder: string): string {
  return `string_to_array(${placeholder}::text, E'\\x1e', E'\\x1f')`
}

/**
 * One text column. JSON has no raw control characters, and the gateway rejects requests that have them. This function also
 * rejects a value that would shift the column or that PostgreSQL cannot store.
 * @throws CommitFailed
 */
export function textColumn(name: string, values: readonly (string | undefined)[]): string {
  let column = ''
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (index > 0) column += SEPARATOR
    column += value ?? NULL
  }
  // A single empty value would become an empty list. The separator adds a second element, and rows without an ID are skipped.
  if (column === '' && values.length === 1) return SEPARATOR
  if (column.includes('\0')) refuse(name, 'U+0000')
  if (!column.isWellFormed()) refuse(name, 'a lone surrogate')
  if (separators(column) !== values.length - 1 && values.length > 0) refuse(name, 'U+001E')
  if (values.includes(NULL)) refuse(name, 'U+001F')
  return column
}

/**
 * A single text. Values that a column could not hold are rejected here too, so that the result does not depend on the rest of the
 * batch.
 */
export function textValue(name: string, value: string): string {
  textColumn(name, [value])
  return value
}

export const numberColumn: (values: readonly (number | undefined)[]) => string = numberArray

export function booleanColumn(values: readonly boolean[]): string {
  return `{${values.map((value) => (value ? 't' : 'f')).join(',')}}`
}

function separators(column: string): number {
  let count = 0
  for (let at = column.indexOf(SEPARATOR); at !== -1; at = column.indexOf(SEPARATOR, at + 1)) count++
  return count
}

function refuse(name: string, what: string): never {
  throw new CommitFailed(`A value of ${name} contains ${what}, which can't be stored.`, 'invalid')
}
