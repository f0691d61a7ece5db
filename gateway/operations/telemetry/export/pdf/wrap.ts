/** Breaks text into lines. It does not break Latin words that fit. Japanese text breaks between any two characters that its rules permit. */

/** Scripts that have no blanks between words. */
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
/** No line begins with these characters. */
const neverFirst =
  /[、。，．,.:;!?・：；？！ー々ゝゞ）〕］｝〉》」』】)\]}’”ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…‥\p{M}]/u
/** No line ends with these characters. */
const neverLast = /[（〔［｛〈《「『【([{‘“]/u

function mayBreak(before: string, after: string): boolean {
  if (neverFirst.test(after) || neverLast.test(before)) return false
  return before === ' ' || before === '-' || before === '/' || ideographic.test(before) || ideographic.test(after)
}

/**
 * @param widthOf returns the width of one character, in the unit of `most`
 * @returns lines with all characters of the text, except line ends and blanks at a break
 */
export function wrap(text: string, most: number, widthOf: (character: string) => number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(Array.from(paragraph), most, widthOf))
}

function wrapParagraph(characters: readonly string[], most: number, widthOf: (character: string) => number): string[] {
  const lines: string[] = []
  let start = 0
  /** The last character of this line before which the line may be broken. */
  let breakAt = 0
  let width = 0
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    const own = widthOf(character)
    if (at > start && mayBreak(characters[at - 1] ?? '', character)) breakAt = at
    // A blank at the end of a line is removed, so it may exceed the width.
    if (width + own <= most || at === start || character === ' ') {
      width += own
      continue
    }
    // A word that is longer than a line is cut.
    const end = breakAt > start ? breakAt : at
    lines.push(characters.slice(start, end).join('').trimEnd())
    start = end
    breakAt = end
    width = 0
    for (let back = end; back < at; back++) width += widthOf(characters[back] ?? '')
    width += own
    // The characters since the break are wider than a line, so they are cut too.
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
