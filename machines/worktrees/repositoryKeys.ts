/** The members of a logical repository. */
export const repositoryMembers = Object.freeze({ preparations: 'preparations' })
