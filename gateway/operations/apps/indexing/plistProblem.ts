/** The bytes are no property list with a dictionary. The message completes "The property list …". */
export class PlistProblem extends Error {
  override readonly name = 'PlistProblem'
}
