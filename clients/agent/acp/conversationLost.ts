/** The run requires the former conversation, and the CLI cannot continue it. */
export class ConversationLost extends Error {
  override name = 'ConversationLost'
  constructor() {
    super('The coding CLI no longer has the conversation of the former turns, and the run requires it.')
  }
}
