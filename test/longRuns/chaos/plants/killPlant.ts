/** A fault that is planted in the program or in the agent to prove that a checker finds it. */
import type { Mutant } from '../../mutants/mutant.ts'

export interface KillPlant {
  readonly name: string
  /** The checkers that may find it. One of them must. */
  readonly foundBy: readonly string[]
  /** In the control plane: the source is changed while it is loaded. */
  readonly inProgram?: Pick<Mutant, 'file' | 'search' | 'replace'>
  /** In the agent, whose program is one text. Throws if the text to replace is missing. */
  readonly inAgent?: (program: string) => string
}

/** @throws Error if the text does not occur exactly once: a change of the agent must not disable a fault silently */
export function replaced(program: string, search: string, replace: string): string {
  const places = program.split(search).length - 1
  if (places !== 1) throw new Error(`the agent's program contains this text ${places} times, not once: ${search}`)
  return program.replace(search, () => replace)
}
