/** The command and the changes of a permission request. A person decides on these, not on a title. */
import { format, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'
import { parsePermission, type Question } from './parsePermission.ts'
import { DiffBlock, FileList, TextBlock } from './ToolBlocks.tsx'

const { tool: texts } = messages.run

export function PermissionDetails({ question }: { readonly question: Pick<Question, 'toolCall'> }) {
  const permission = parsePermission(question)
  if (permission === undefined) return null
  const { kind, command, paths, diffs, texts: details, input, omitted } = permission
  return (
    <div class="permission">
      {kind && <p class="hint">{format(texts.kind, { kind: formatName(kind) })}</p>}
      {command !== '' && <TextBlock label={texts.command} text={command} wraps />}
      {paths.length > 0 && <FileList files={paths.map((path) => ({ path }))} />}
      {diffs.map((diff, index) => (
        <DiffBlock key={index} diff={diff} />
      ))}
      {details.map((text, index) => (
        <TextBlock key={index} label={texts.details} text={text} />
      ))}
      {omitted > 0 && <p class="hint">{format(texts.moreParts, { count: omitted })}</p>}
      {/* The input of an edit contains the texts that the diff shows. */}
      {input !== '' && diffs.length === 0 && <TextBlock label={texts.input} text={input} />}
    </div>
  )
}
