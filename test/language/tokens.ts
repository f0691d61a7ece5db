/** The tokens of a TypeScript file, with its templates and regular expressions. */
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

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

export const comments: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.SingleLineCommentTrivia,
  SyntaxKind.MultiLineCommentTrivia,
])

export const trivia: ReadonlySet<SyntaxKind> = new Set([
  ...comments,
  SyntaxKind.WhitespaceTrivia,
  SyntaxKind.NewLineTrivia,
])

export interface Token {
  readonly kind: SyntaxKind
  readonly start: number
  readonly end: number
}

export function* tokensOf(source: string): Generator<Token> {
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

/** Line numbers of positions that only grow, from 1. */
export function lineCounter(source: string): (position: number) => number {
  let line = 1
  let at = 0
  return (position) => {
    for (; at < position; at++) if (source.charCodeAt(at) === 10) line++
    return line
  }
}
