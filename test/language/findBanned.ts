import { bannedWords } from './bannedWords.ts'
import { type Prose, splitSentences } from './prose.ts'

/** Lists the banned words of a file's texts, each as one line: place, word, what to write instead, reason. */
export function findBanned(file: string, texts: readonly Prose[]): readonly string[] {
  const sentences = texts.flatMap((text) =>
    splitSentences(text).map((sentence, index) => ({ ...sentence, isFirst: index === 0 })),
  )
  const searched = bannedWords.filter(({ only }) => only === undefined || only.test(file))
  return sentences.flatMap((sentence) =>
    searched.flatMap(({ pattern, instead, reason, unless, isOpening }) => {
      if (unless?.test(sentence.text) || (isOpening && !sentence.isFirst)) return []
      const all = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
      return [...sentence.text.matchAll(all)].map(({ 0: word, index }) => {
        const shown = word.length > 40 ? `${word.slice(0, 37)}…` : word
        return `${file}:${sentence.lineAt(index)}: "${shown.replaceAll('\n', ' ').trim()}": write ${instead} (${reason})`
      })
    }),
  )
}
