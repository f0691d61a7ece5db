/** The comments and texts of a TypeScript file. */
import { SyntaxKind } from 'typescript/unstable/ast'
import type { Prose } from './prose.ts'
import { comments, lineCounter, tokensOf, trivia } from './tokens.ts'

const texts: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])

/** The functions and the fields whose texts are titles: of tests, of groups of tests, and of faults that are planted. */
const titled = new Set(['test', 'it', 'describe', 'fault'])

/** `comments`: no string literals. `titles`: of the literals, only the titles of tests and faults. `all`: each literal that has a space. */
export type ProseScope = 'comments' | 'titles' | 'all'

/** Line comments in a row are one text, and so are literals that `+` joins. Texts in JSX that have no quotes are not found. */
export function readCodeProse(source: string, scope: ProseScope): readonly Prose[] {
  const found: { text: string; line: number; isLineComment: boolean; endLine: number }[] = []
  const lineAt = lineCounter(source)
  let [before, beforePlus]: (SyntaxKind | undefined)[] = []
  let [nameBefore, isTitle] = ['', false]
  for (const { kind, start, end } of tokensOf(source)) {
    if (trivia.has(kind) && !comments.has(kind)) continue
    const text = source.slice(start, end)
    if (kind === SyntaxKind.Identifier) nameBefore = text
    else if (kind === SyntaxKind.OpenParenToken || kind === SyntaxKind.ColonToken)
      isTitle = before === SyntaxKind.Identifier && titled.has(nameBefore)
    else if (kind === SyntaxKind.CommaToken) isTitle = false
    if (comments.has(kind)) {
      const line = lineAt(start)
      const isLineComment = kind === SyntaxKind.SingleLineCommentTrivia
      const last = found.at(-1)
      if (isLineComment && last?.isLineComment && last.endLine === line - 1) {
        last.text += `\n${text.replace(/^\/\/+/, '')}`
        last.endLine = line
      } else found.push({ text: commentText(text), line, isLineComment, endLine: line })
    } else if ((scope === 'all' || (scope === 'titles' && isTitle)) && texts.has(kind) && /\S \S/.test(text)) {
      const line = lineAt(start)
      const words = text.slice(1).replace(/(`|'|"|\$\{)$/, '')
      const last = found.at(-1)
      if (last && before === SyntaxKind.PlusToken && beforePlus !== undefined && texts.has(beforePlus)) {
        last.text += '\n'.repeat(line - last.endLine) + words
        last.endLine = line
      } else found.push({ text: words, line, isLineComment: false, endLine: line })
    }
    ;[before, beforePlus] = [kind, before]
  }
  return found.map(({ text, line }) => ({ text, line }))
}

function commentText(text: string): string {
  return text
    .replace(/^\/\*+|^\/\/+|\*+\/$/g, '')
    .replace(/^[ \t]*\*+ ?/gm, '')
    .replace(/^biome-ignore .*$/gm, '')
}
