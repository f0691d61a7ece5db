/** Why an image cannot be compared. DAMAGED: it cannot be decoded. TOO_COMPLEX: decoding it takes too long. */
export type ImageProblemReason = 'DAMAGED' | 'TOO_MANY_PIXELS' | 'TOO_COMPLEX'

export class ImageProblem extends Error {
  override readonly name = 'ImageProblem'
  readonly reason: ImageProblemReason

  constructor(reason: ImageProblemReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export function damaged(what: string): ImageProblem {
  return new ImageProblem('DAMAGED', what)
}
