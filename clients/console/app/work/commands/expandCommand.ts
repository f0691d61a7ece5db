/** The text that a run of a command gets, for a preview. The server expands the template itself when the command is run. */
import { expandTemplate, parseTemplate } from '../../../../../spec/work/template.ts'
import { quoteShell } from '../../parts/quoteShell.ts'
import type { Command } from './command.ts'

/**
 * A prompt with the values in place of its placeholders, or a shell command below its variables.
 * @param values by the names of the arguments. One that is missing has its default, or else is empty
 */
export function expandCommand(
  { kind, template, arguments: declared }: Pick<Command, 'kind' | 'template' | 'arguments'>,
  values: Readonly<Record<string, unknown>>,
): string {
  const texts = new Map(
    declared.map(({ name, default: fallback }) => [name, String(values[name] ?? fallback ?? '')] as const),
  )
  if (kind === 'PROMPT') return expandTemplate(parseTemplate(template).parts, texts)
  const variables = [...texts].map(([name, value]) => `ARG_${name.toUpperCase()}=${quoteShell(value)}`)
  return [...variables, template].join('\n')
}
