/** A fault that is planted in the program or in the agent, so that a checker can be seen to find it. */
import type { Mutant } from '../mutants/mutant.ts'

export interface Fault {
  readonly name: string
  /** The checkers that may find it; one of them must. */
  readonly foundBy: readonly string[]
  /** In the control plane: put into the source while it is loaded. */
  readonly inProgram?: Pick<Mutant, 'file' | 'search' | 'replace'>
  /** In the agent, whose program is one text. Throws where the text to replace is not there. */
  readonly inAgent?: (program: string) => string
}
