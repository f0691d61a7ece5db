/**
 * Removes escape sequences of terminals (ECMA-48) from a text that arrives in pieces. The state at the end of a piece is one of a
 * few names, so that another request can continue.
 */

/** The states: outside of a sequence, after ESC, in a control sequence, in a control string, after ESC in a control string. */
export const escapeStates = ['text', 'escape', 'control', 'string', 'stringEnd'] as const
export type EscapeState = (typeof escapeStates)[number]

const opening = '\u001b'
const bell = '\u0007'

export function stripped(text: string, before: EscapeState): { readonly text: string; readonly state: EscapeState } {
  if (before === 'text' && !text.includes(opening)) return { text, state: 'text' }
  let state = before
  let kept = ''
  for (const letter of text) {
    const after = step(state, letter)
    // A character that a sequence cannot contain ends the sequence and is kept. Otherwise an unfinished sequence would hide the rest
    // of the log.
    if (after === 'text' && (state === 'text' || breaksOff(state, letter))) kept += letter
    state = after
  }
  return { text: kept, state }
}

function step(state: EscapeState, letter: string): EscapeState {
  if (letter === opening) return state === 'string' ? 'stringEnd' : 'escape'
  switch (state) {
    case 'text':
      return 'text'
    case 'escape':
      if (letter === '[') return 'control'
      if (']PX^_'.includes(letter)) return 'string'
      return letter >= ' ' && letter <= '/' ? 'escape' : 'text'
    case 'control':
      return letter >= ' ' && letter <= '?' ? 'control' : 'text'
    case 'string':
      return letter === bell || letter === '\n' ? 'text' : 'string'
    case 'stringEnd':
      return letter === '\\' || letter === '\n' ? 'text' : 'string'
  }
}

function breaksOff(state: EscapeState, letter: string): boolean {
  if (letter === '\n' || letter === '\r') return true
  if (state === 'control') return letter < '@' || letter > '~'
  return state === 'escape' && (letter < '0' || letter > '~')
}
