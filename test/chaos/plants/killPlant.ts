/** A fault that is planted in the program or in the agent, so that a checker can be seen to find it. */
import type { Mutant } from '../../mutants/mutant.ts'

export interface KillPlant {
  readonly name: string
  /** The checkers that may find it; one of them must. */
  readonly foundBy: readonly string[]
  /** In the control plane: put into the source while it is loaded. */
  readonly inProgram?: Pick<Mutant, 'file' | 'search' | 'replace'>
  /** In the agent, whose program is one text. Throws where the text to replace is not there. */
  readonly inAgent?: (program: string) => string
}

/** @throws Error where the text is not there exactly once: a change of the agent must not disarm a fault in silence */
export function replaced(program: string, search: string, replace: string): string {
  const places = program.split(search).length - 1
  if (places !== 1) throw new Error(`the agent's program has ${places} times, not once: ${search}`)
  return program.replace(search, () => replace)
}
