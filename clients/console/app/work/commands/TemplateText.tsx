/** The template of a command as it was written, or the text that a run of it gets. */
import type { Command } from './command.ts'

interface TemplateTextProps {
  readonly kind: Command['kind']
  readonly text: string
}

export function TemplateText({ kind, text }: TemplateTextProps) {
  return <pre class={kind === 'SHELL' ? 'run-task code' : 'run-task'}>{text}</pre>
}
