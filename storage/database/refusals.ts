/** The databases that this program does not use. The start ends with one sentence, and nothing in the database is changed. */
import type { Migration } from './migrations.ts'
import { StartError } from './startError.ts'

/** A migration that was applied, as the table `migration` has it. */
export interface AppliedMigration {
  readonly name: string
  readonly hash: string
}

/** How a sentence names the database, and the setting that selects another one. */
export interface DatabasePlace {
  readonly name: string
  readonly selectNew: string
}

export const databaseOfUrl: DatabasePlace = Object.freeze({
  name: 'The database of DATABASE_URL',
  selectNew: 'set DATABASE_URL to an empty database',
})

export const databaseInFolder = (folder: string): DatabasePlace => ({
  name: `The database in ${folder}`,
  selectNew: 'set DATA_DIR to an empty folder',
})

/** The first migration of the database that is not the program's own one of that number. */
interface Difference {
  readonly index: number
  readonly applied: AppliedMigration
  /** Undefined if the database has more migrations than the program. */
  readonly own: Migration | undefined
}

interface Refusal {
  applies(difference: Difference): boolean
  explain(difference: Difference, place: DatabasePlace): string
}

/** The first row that applies is reported. */
const refusals: readonly Refusal[] = Object.freeze([
  {
    // Made before there was a baseline. No migration leads from there to this schema.
    applies: ({ index, applied, own }) => index === 0 && applied.name !== own?.name,
    explain: ({ applied, own }, { name, selectNew }) =>
      `${name} begins with migration ${applied.name} instead of ${own?.name}, so it was made by a version from before the first release and cannot be used by this one: ${selectNew} to begin with a new database, and the old one stays unchanged.`,
  },
  {
    applies: ({ own }) => own === undefined,
    explain: ({ applied }, { name }) =>
      `${name} has migration ${applied.name}, which this version of Signalbox does not have: start the newer version that made it, or restore a backup from before.`,
  },
  {
    applies: () => true,
    explain: ({ applied, own }, { name }) =>
      `${name} has a migration ${applied.name} that differs from the ${own?.name} of this version of Signalbox: start the version that made it.`,
  },
])

/** @throws StartError if the applied migrations are not the first ones of the program */
export function refuseForeign(
  applied: readonly AppliedMigration[],
  own: readonly Migration[],
  place: DatabasePlace,
): void {
  const index = applied.findIndex(({ name, hash }, at) => own[at]?.name !== name || own[at].hash !== hash)
  const first = applied[index]
  if (first === undefined) return
  const difference = { index, applied: first, own: own[index] }
  const refusal = refusals.find((one) => one.applies(difference))
  throw new StartError(refusal?.explain(difference, place))
}
