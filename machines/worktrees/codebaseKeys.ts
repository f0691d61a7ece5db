/** The members of a codebase. */
export const codebaseMembers = Object.freeze({ branches: 'branches' })
