/** A fault that is put into one source file on purpose, and the tests that must fail because of it. */
import { existsSync, readFileSync } from 'node:fs'

/** The tests that must detect a mutant: a file, and, if only some of its tests do, a pattern of their names. */
export interface Lookout {
  readonly file: string
  /** A regular expression. */
  readonly only?: string
}

export interface Mutant {
  readonly name: string
  /** The number in `rules.ts` of the rule that this fault breaks. */
  readonly rule?: number
  /** One sentence that describes the fault. */
  readonly fault: string
  /** Relative to the project's folder. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly search: string
  readonly replace: string
  readonly tests: readonly Lookout[]
  /** It needs a server, so only the long run tries it. */
  readonly postgres?: true
}

export const project: URL = new URL('../../../', import.meta.url)

export const sourceOf = ({ file }: Mutant): URL => new URL(file, project)

/**
 * Returns the source with the fault in it.
 * @throws Error if the text to replace does not occur exactly once: a refactoring must not disable a mutant silently
 */
export function mutate(mutant: Mutant, source: string): string {
  const places = source.split(mutant.search).length - 1
  if (places !== 1) {
    throw new Error(
      `the mutant "${mutant.name}" looks for a text that occurs ${places} times in ${mutant.file}, not once`,
    )
  }
  return source.replace(mutant.search, () => mutant.replace)
}

/** Returns the problem of a mutant that cannot be run. */
export function misfit(mutant: Mutant): string | undefined {
  const missing = mutant.tests.find(({ file }) => !existsSync(new URL(file, project)))
  if (missing !== undefined) return `the mutant "${mutant.name}" names ${missing.file}, which does not exist`
  try {
    const source = readFileSync(sourceOf(mutant), 'utf8')
    return mutate(mutant, source) === source ? `the mutant "${mutant.name}" changes nothing` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
