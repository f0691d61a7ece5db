/** The bounds of the outputs of a command: named values that it writes to the file `SIGNALBOX_OUTPUT`. */
export const outputNameForm = /^[a-zA-Z_][a-zA-Z0-9_-]{0,49}$/
export const outputsMax = 50
/** The maximum number of characters of one value. */
export const outputCharactersMax = 20_000
/** The maximum size of the file, in bytes. */
export const outputBytesMax = 64 * 1024
