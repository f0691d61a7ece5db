/** `word_similarity` of pg_trgm: the similarity of a text and a part of another text. Source: PostgreSQL's manual, F.35. */

/** The trigrams of all words in order. A word consists of ASCII letters and digits, padded with two spaces before and one after. */
function trigramsOf(text: string): readonly string[] {
  return (text.match(/[a-z0-9]+/g) ?? []).flatMap((word) => {
    const padded = `  ${word} `
    return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
  })
}

/** The greatest share of trigrams that a continuous part of `other` has in common with `text`. */
export function wordSimilarity(text: string, other: string): number {
  const wanted = new Set(trigramsOf(text))
  const all = trigramsOf(other)
  let best = 0
  for (let from = 0; from < all.length; from++) {
    const stretch = new Set<string>()
    let common = 0
    for (const trigram of all.slice(from)) {
      if (!stretch.has(trigram) && wanted.has(trigram)) common++
      stretch.add(trigram)
      best = Math.max(best, common / (wanted.size + stretch.size - common))
    }
  }
  return best
}
