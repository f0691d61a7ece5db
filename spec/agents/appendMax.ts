/** The maximum number of chunks or events in one append. It has a file of its own, because the agent's program does not contain schemas. */
export const appendMax = 200
