/**
 * Takes escape sequences of terminals (ECMA-48) out of a text that comes in pieces. Where a piece ended within a sequence is one
 * of a few states, so that reading can go on in another request.
 */

/** Within nothing, after ESC, a control sequence, a control string, that string's own ESC. */
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
    // What can't stand in a sequence ends it, and counts: a log is not swallowed for one that nobody finished.
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
