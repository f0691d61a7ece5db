/** One job’s use of a worktree. */
export interface Use {
  /** Whether no other job used the worktree at any time since the beginning of this use. */
  readonly isAlone: boolean
  end(): void
}

/** The worktrees that jobs use at the moment, by their paths. */
export class WorktreeUse {
  private readonly users = new Map<string, Set<{ isAlone: boolean }>>()

  begin(path: string): Use {
    const users = this.users.get(path) ?? new Set()
    this.users.set(path, users)
    const use = { isAlone: users.size === 0, end: () => this.end(path, use) }
    for (const other of users) other.isAlone = false
    users.add(use)
    return use
  }

  private end(path: string, use: { isAlone: boolean }): void {
    const users = this.users.get(path)
    users?.delete(use)
    if (users?.size === 0) this.users.delete(path)
  }
}
