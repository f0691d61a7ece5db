/**
 * The template of a prompt. `{{name}}` is replaced by the value of the argument `name`, and `{{{{` by two braces. The template is read
 * once: a value that contains `{{x}}` stays as it is.
 */

export type TemplatePart = { readonly text: string } | { readonly argument: string }

/** A part of a template that is neither text nor a placeholder. */
export interface TemplateProblem {
  /** The index of its first character. */
  readonly index: number
  /** The characters from there on, at most 30. */
  readonly found: string
}

export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[]
  readonly placeholders: readonly { readonly argument: string; readonly index: number }[]
  /** The first one, after which nothing is parsed. */
  readonly problem: TemplateProblem | undefined
}

/** Two escaped braces, the first of exactly three braces (which is text), a placeholder, or the beginning of none. */
const tokens = {
  name: /\{\{\{\{|\{(?=\{\{(?!\{))|\{\{ *([a-z][a-z0-9_]*) *\}\}|\{\{/g,
  path: /\{\{\{\{|\{(?=\{\{(?!\{))|\{\{ *([a-z][a-z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_-]*)+) *\}\}|\{\{/g,
}

/**
 * The time is linear in the length of the template.
 * @param placeholder `path`: names with dots, `{{inputs.branch}}`
 */
export function parseTemplate(template: string, placeholder: 'name' | 'path' = 'name'): ParsedTemplate {
  const parts: TemplatePart[] = []
  const placeholders: { argument: string; index: number }[] = []
  let text = ''
  let end = 0
  for (const match of template.matchAll(tokens[placeholder])) {
    const { 0: token, 1: argument, index } = match
    text += template.slice(end, index)
    end = index + token.length
    if (argument !== undefined) {
      if (text !== '') parts.push({ text })
      text = ''
      parts.push({ argument })
      placeholders.push({ argument, index })
    } else if (token === '{{') {
      return { parts, placeholders, problem: { index, found: template.slice(index, index + 30) } }
    } else {
      text += token === '{' ? '{' : '{{'
    }
  }
  text += template.slice(end)
  if (text !== '') parts.push({ text })
  return { parts, placeholders, problem: undefined }
}

/** A template that gives the text itself. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '{{{{')
}

export function expandTemplate(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): string {
  return parts.map((part) => ('text' in part ? part.text : (values.get(part.argument) ?? ''))).join('')
}

/** The position in words: lines and columns count from 1. */
export function describePosition(template: string, index: number): string {
  const before = template.slice(0, index).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
