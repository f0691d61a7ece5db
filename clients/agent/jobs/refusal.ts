/** The agent rejects this job. Nothing was started. `code` is for programs, the message for people. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code:
    | 'ATTACHMENT_UNAVAILABLE'
    | 'BAD_SPEC'
    | 'CONVERSATION_LOST'
    | 'FILE_UNAVAILABLE'
    | 'MODEL_UNAVAILABLE'
    | 'MODE_UNAVAILABLE'
    | 'PERMISSIONS_UNAVAILABLE'
    | 'OUTSIDE_ROOTS'
    | 'SKILL_UNAVAILABLE'
    | 'TOOL_MISSING'
    | 'UNKNOWN_CLI'
    | 'BRANCH_UNUSABLE'
    | 'COMMIT_NOT_FOUND'
    | 'GIT_TOO_OLD'
    | 'WORKTREE_UNFINISHED'
  constructor(code: Refusal['code'], message: string) {
    super(message)
    this.code = code
  }
}
