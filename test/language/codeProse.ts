/** The comments and texts of a TypeScript file. */
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'
import type { Prose } from './prose.ts'

/** After one of these a `/` divides. After any other token it begins a regular expression. */
const operandEnds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
])

const comments: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
])

const texts: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])

const trivia: ReadonlySet<SyntaxKind> = new Set([...comments, SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia])

/** Line comments in a row are one text, and so are literals that `+` joins. Texts in JSX that have no quotes are not found. */
export function readCodeProse(source: string, scope: 'comments' | 'all'): readonly Prose[] {
  const found: { text: string; line: number; isLineComment: boolean; endLine: number }[] = []
  const lineAt = lineCounter(source)
  let [before, beforePlus]: (SyntaxKind | undefined)[] = []
  for (const { kind, start, end } of tokensOf(source)) {
    if (trivia.has(kind) && !comments.has(kind)) continue
    const text = source.slice(start, end)
    if (comments.has(kind)) {
      const line = lineAt(start)
      const isLineComment = kind === SyntaxKind.SingleLineCommentTrivia
      const last = found.at(-1)
      if (isLineComment && last?.isLineComment && last.endLine === line - 1) {
        last.text += `\n${text.replace(/^\/\/+/, '')}`
        last.endLine = line
      } else found.push({ text: commentText(text), line, isLineComment, endLine: line })
    } else if (scope === 'all' && texts.has(kind) && /\S \S/.test(text)) {
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

interface Token {
  readonly kind: SyntaxKind
  readonly start: number
  readonly end: number
}

function* tokensOf(source: string): Generator<Token> {
  const scanner = createScanner(false)
  scanner.setText(source)
  /** For each template that is open, how many braces are open in its expression. */
  const templates: number[] = []
  let before: SyntaxKind | undefined
  for (;;) {
    let kind: SyntaxKind = scanner.scan()
    if (kind === SyntaxKind.EndOfFile) return
    const braces = templates.at(-1)
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
      if (before === undefined || !operandEnds.has(before)) kind = scanner.reScanSlashToken()
    } else if (kind === SyntaxKind.OpenBraceToken && braces !== undefined) {
      templates[templates.length - 1] = braces + 1
    } else if (kind === SyntaxKind.CloseBraceToken && braces === 0) {
      kind = scanner.reScanTemplateToken(false)
      if (kind === SyntaxKind.TemplateTail) templates.pop()
    } else if (kind === SyntaxKind.CloseBraceToken && braces !== undefined) {
      templates[templates.length - 1] = braces - 1
    } else if (kind === SyntaxKind.TemplateHead) templates.push(0)
    const start = scanner.getTokenStart()
    // An apostrophe in the text of a JSX element.
    if (kind === SyntaxKind.StringLiteral && scanner.isUnterminated()) scanner.resetTokenState(start + 1)
    else yield { kind, start, end: scanner.getTokenEnd() }
    if (!trivia.has(kind)) before = kind
  }
}

function commentText(text: string): string {
  return text
    .replace(/^\/\*+|^\/\/+|\*+\/$/g, '')
    .replace(/^[ \t]*\*+ ?/gm, '')
    .replace(/^biome-ignore .*$/gm, '')
}

/** Line numbers of positions that only grow, from 1. */
function lineCounter(source: string): (position: number) => number {
  let line = 1
  let at = 0
  return (position) => {
    for (; at < position; at++) if (source.charCodeAt(at) === 10) line++
    return line
  }
}
