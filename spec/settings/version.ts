/** The version of the server, of the agent and of the dSYM client, the same as in `package.json`. */
export const version = '0.1.0'
