/** Breaks text into lines. Words of Latin script stay whole where they fit; Japanese breaks between any two characters but by its rules. */

/** Written without blanks between words. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
/** No line begins with these, and none ends with those. */
const neverFirst =
  /[、。，．,.:;!?・：；？！ー々ゝゞ）〕］｝〉》」』】)\]}’”ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…‥\p{M}]/u
const neverLast = /[（〔［｛〈《「『【([{‘“]/u

function mayBreak(before: string, after: string): boolean {
  if (neverFirst.test(after) || neverLast.test(before)) return false
  return before === ' ' || before === '-' || before === '/' || ideographic.test(before) || ideographic.test(after)
}

/**
 * @param widthOf of one character, in the unit of `most`
 * @returns lines that hold every character of the text but line ends, and blanks at a break
 */
export function wrap(text: string, most: number, widthOf: (character: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(Array.from(paragraph), most, widthOf))
}

function wrapParagraph(characters: readonly string[], most: number, widthOf: (character: string) => number): string[] {
  const lines: string[] = []
  let start = 0
  /** The last place of this line before which it may be broken. */
  let breakAt = 0
  let width = 0
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    const own = widthOf(character)
    if (at > start && mayBreak(characters[at - 1] ?? '', character)) breakAt = at
    // A blank at the end of a line takes no room.
    if (width + own <= most || at === start || character === ' ') {
      width += own
      continue
    }
    // Where there is no place to break, a word that is too long is cut.
    const end = breakAt > start ? breakAt : at
    lines.push(characters.slice(start, end).join('').trimEnd())
    start = end
    breakAt = end
    width = 0
    for (let back = end; back < at; back++) width += widthOf(characters[back] ?? '')
    width += own
    // What was to stay together is wider than a line.
    if (width > most && at > start) {
      lines.push(characters.slice(start, at).join('').trimEnd())
      start = at
      breakAt = at
      width = own
    }
  }
  lines.push(characters.slice(start).join('').trimEnd())
  return lines
}
