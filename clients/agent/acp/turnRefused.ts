type Code = 'CONVERSATION_LOST' | 'MODEL_UNAVAILABLE' | 'MODE_UNAVAILABLE'

/** The CLI cannot do what the run requires. Nothing was sent to its model. */
export class TurnRefused extends Error {
  override name = 'TurnRefused'
  readonly code: Code

  constructor(code: Code, message: string) {
    super(message)
    this.code = code
  }
}
