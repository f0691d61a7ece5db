/** A fault that is put into one source file on purpose, and the tests that must notice it. */
import { readFileSync } from 'node:fs'

/** Tests that look for a mutant: a file, and where only some of its tests do, what their names contain. */
export interface Lookout {
  readonly file: string
  /** A regular expression. */
  readonly only?: string
}

export interface Mutant {
  readonly name: string
  /** Of the rules that a committed turn keeps to, the one that this fault breaks; they are named in `rules.ts`. */
  readonly rule?: number
  /** One sentence: what fault it plants. */
  readonly fault: string
  /** From the project's folder. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly search: string
  readonly replace: string
  readonly tests: readonly Lookout[]
  /** It takes a server, so it is left to the long run. */
  readonly postgres?: true
}

export const project: URL = new URL('../../', import.meta.url)

export const sourceOf = ({ file }: Mutant): URL => new URL(file, project)

/**
 * The source with the fault in it.
 * @throws Error where the text to replace is not there exactly once: a refactoring must not disarm a mutant in silence
 */
export function mutate(mutant: Mutant, source: string): string {
  const places = source.split(mutant.search).length - 1
  if (places !== 1) {
    throw new Error(
      `the mutant "${mutant.name}" looks for a text that stands ${places} times in ${mutant.file}, not once`,
    )
  }
  return source.replace(mutant.search, () => mutant.replace)
}

/** What is wrong with a mutant before it is run. */
export function misfit(mutant: Mutant): string | undefined {
  try {
    const source = readFileSync(sourceOf(mutant), 'utf8')
    return mutate(mutant, source) === source ? `the mutant "${mutant.name}" changes nothing` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
