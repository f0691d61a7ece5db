/** A tool call of the coding CLI: a card that is open while the tool works, and folded when it is done. */
import { useState } from 'preact/hooks'
import { format, messages } from '../../messages.ts'
import { formatName } from '../../parts/formatName.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { parseDiffs, parsePermission } from '../parsePermission.ts'
import { DiffBlock, FileList, TextBlock } from '../ToolBlocks.tsx'
import type { ToolCall } from './transcriptEntries.ts'

const { tool: texts } = messages.run

export function ToolCallItem({ call }: { readonly call: ToolCall }) {
  const { title, kind, status } = call
  const isDone = status === 'COMPLETED' || status === 'FAILED'
  const [isOpen, setIsOpen] = useState(!isDone)
  return (
    <details class="tool-call" open={!isDone} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {kind && <span class="tool-kind">{formatName(kind)}</span>}
        <span class="tool-title">{title ?? texts.untitled}</span>
        {status && <StatusBadge status={status} />}
      </summary>
      {isOpen && <ToolCallDetails call={call} />}
    </details>
  )
}

function ToolCallDetails({ call }: { readonly call: ToolCall }) {
  const { content, contentCount, locations, locationCount, rawOutput } = call
  const diffs = parseDiffs(content)
  const outputs = content.flatMap(({ text }) => text ?? [])
  const { command = '', input = '' } = parsePermission({ toolCall: call }) ?? {}
  const omitted = locationCount - locations.length + contentCount - content.length
  const output = outputs.length > 0 ? '' : formatOutput(rawOutput)
  return (
    <div class="permission">
      {command !== '' && <TextBlock label={texts.command} text={command} wraps />}
      {/* The input of an edit contains the texts that the diff shows. */}
      {input !== '' && diffs.length === 0 && <TextBlock label={texts.input} text={input} />}
      {locations.length > 0 && <FileList files={locations} />}
      {diffs.map((diff, index) => (
        <DiffBlock key={index} diff={diff} />
      ))}
      {outputs.map((text, index) => (
        <TextBlock key={index} label={texts.output} text={text} />
      ))}
      {output !== '' && <TextBlock label={texts.output} text={output} />}
      {omitted > 0 && <p class="hint">{format(texts.moreParts, { count: omitted })}</p>}
      {command + input + output === '' && content.length + locations.length === 0 && (
        <p class="hint">{texts.noDetails}</p>
      )}
    </div>
  )
}

/** The form of the output is the tool's own. */
function formatOutput(output: unknown): string {
  if (output === null || output === undefined) return ''
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
}
