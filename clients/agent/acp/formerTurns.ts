import type { FormerTurns } from '../operations.ts'

type Turn = FormerTurns['turns'][number]

const opening =
  'This continues an earlier conversation, which you no longer have. It follows in full or in part: the requests of the person, and the last message of each of your answers.'

/** Bytes that a prompt with former turns needs besides the last request and the former turns, and some for the latest of these. */
export const formerTurnsReserve = 4 * 1024
/** Bytes at most of the sentence about turns that are left out, and of the tags around a request and its answer. */
const framingMax = 200

/**
 * Returns a prompt that begins with the former turns, for a CLI that cannot continue its conversation. If they are too long, the oldest
 * are left out, and the prompt states how many. The latest turn is always there; if it is too long, it is shortened.
 * @param max the size of the whole, bytes: at least `formerTurnsReserve` more than the request. The control plane bounds the former turns.
 */
export function withFormerTurns(
  { turns, omitted }: FormerTurns,
  request: string,
  max: number = Number.POSITIVE_INFINITY,
): string {
  const ending = `The next request of the person:\n\n${request}`
  let left = max - size(opening) - size(ending) - framingMax
  const shown: string[] = []
  for (const turn of turns.toReversed()) {
    const text = textOf(turn)
    if (size(text) > left) {
      if (shown.length === 0) shown.push(textOf(shorten(turn, left - framingMax)))
      break
    }
    left -= size(text)
    shown.unshift(text)
  }
  const missing = omitted + turns.length - shown.length
  const gap = missing === 0 ? [] : [`(${missing} earlier ${missing === 1 ? 'turn is' : 'turns are'} left out.)`]
  return [opening, ...gap, ...shown, ending].join('\n\n')
}

/** In UTF-8, with the empty line after it. */
const size = (text: string): number => Buffer.byteLength(text) + 2

function textOf({ prompt, answer }: Turn): string {
  const given = answer ?? '(none: the turn ended without an answer)'
  return `<request>\n${prompt}\n</request>\n<answer>\n${given}\n</answer>`
}

/** Keeps the beginning of the request and the end of the answer. A character has at most four bytes in UTF-8. */
function shorten({ prompt, answer }: Turn, bytes: number): Turn {
  const characters = Math.max(0, Math.floor(bytes / 4))
  const forPrompt = Math.min(prompt.length, Math.floor(characters / 2))
  const forAnswer = characters - forPrompt
  return {
    prompt: prompt.length > forPrompt ? `${prompt.slice(0, forPrompt)}…` : prompt,
    answer: answer !== null && answer.length > forAnswer ? `…${answer.slice(-forAnswer)}` : answer,
  }
}
