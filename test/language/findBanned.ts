import { bannedWords } from './bannedWords.ts'
import { type Prose, splitSentences } from './prose.ts'

/** Lists the banned words of a file's texts, each as one line: place, word, what to write instead, reason. */
export function findBanned(file: string, texts: readonly Prose[]): readonly string[] {
  return texts.flatMap(splitSentences).flatMap((sentence) =>
    bannedWords.flatMap(({ pattern, instead, reason, unless }) => {
      if (unless?.test(sentence.text)) return []
      const all = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
      return [...sentence.text.matchAll(all)].map(({ 0: word, index }) => {
        const shown = word.length > 40 ? `${word.slice(0, 37)}…` : word
        return `${file}:${sentence.lineAt(index)}: "${shown.replaceAll('\n', ' ').trim()}": write ${instead} (${reason})`
      })
    }),
  )
}
