/** The limits of a skill. They are low enough for an upload as base64 in one GraphQL request and in one tool call (4 MiB). */
export const skillFilesMax = 100
export const skillFileBytesMax = 1024 * 1024
export const skillBytesMax = 2 * 1024 * 1024
/** Of a path in a skill, in UTF-8. */
export const skillPathBytesMax = 240
/** The number of names in a path. */
export const skillPathDepthMax = 10
export const skillNameMax = 64
export const skillDescriptionMax = 1_024
/** The maximum number of active skills of the installation, and of each repository. A run gets those of both. */
export const activeSkillsMax = 50
/** The maximum number of versions of a skill. */
export const skillVersionsMax = 100
/** The maximum number of versions that an agent can report. */
export const heldSkillsMax = 1_000
