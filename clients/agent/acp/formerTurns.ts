import type { FormerTurns } from '../operations.ts'

const opening =
  'This continues an earlier conversation, which you no longer have. It follows in full or in part: the requests of the person, and the last message of each of your answers.'

/**
 * Returns a prompt that begins with the former turns, for a CLI that cannot continue its conversation. If they are too long, the oldest
 * are left out, and the prompt states how many.
 * @param max the length of the whole, characters; the prompt itself is never shortened
 */
export function withFormerTurns({ turns, omitted }: FormerTurns, prompt: string, max: number): string {
  const ending = `The next request of the person:\n\n${prompt}`
  let left = max - opening.length - ending.length - 200
  const shown: string[] = []
  for (const { prompt: request, answer } of turns.toReversed()) {
    const text = `<request>\n${request}\n</request>\n<answer>\n${answer ?? '(none: the turn ended without an answer)'}\n</answer>`
    left -= text.length + 2
    if (left < 0) break
    shown.unshift(text)
  }
  const missing = omitted + turns.length - shown.length
  const gap = missing === 0 ? [] : [`(${missing} earlier ${missing === 1 ? 'turn is' : 'turns are'} left out.)`]
  return [opening, ...gap, ...shown, ending].join('\n\n')
}
