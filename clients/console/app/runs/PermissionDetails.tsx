/** The command and the changes of a permission request. A person decides on these, not on a title. */
import { formatName } from '../parts/formatName.ts'
import { type FileDiff, parsePermission, type Question } from './parsePermission.ts'

export function PermissionDetails({ question }: { readonly question: Question }) {
  const permission = parsePermission(question)
  if (permission === undefined) return null
  const { kind, command, paths, diffs, texts, input, omitted } = permission
  return (
    <div class="permission">
      {kind !== '' && <p class="hint">Tool kind: {formatName(kind)}</p>}
      {command !== '' && <TextBlock label="Command" text={command} />}
      {paths.length > 0 && (
        <ul class="paths" aria-label="Files">
          {paths.map((path) => (
            <li key={path} class="path">
              {path}
            </li>
          ))}
        </ul>
      )}
      {diffs.map((diff, index) => (
        <DiffBlock key={index} diff={diff} />
      ))}
      {texts.map((text, index) => (
        <TextBlock key={index} label="Details" text={text} />
      ))}
      {omitted > 0 && <p class="hint">{omitted.toLocaleString()} more files or changes are not shown.</p>}
      {/* The input of an edit contains the texts that the diff shows. */}
      {input !== '' && diffs.length === 0 && <TextBlock label="Input" text={input} />}
    </div>
  )
}

function TextBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="block" data-wraps={label === 'Command'} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}

const marks = { SAME: ' ', REMOVED: '−', ADDED: '+' } as const

function DiffBlock({ diff: { path, lines } }: { readonly diff: FileDiff }) {
  return (
    <figure class="diff">
      <figcaption class="path">{path}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section class="block" aria-label={`Changes to ${path}`} tabIndex={0}>
        <pre>
          {lines.map(({ type, text }, index) => (
            <span key={index} data-type={type}>
              {marks[type]} {text}
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
    </figure>
  )
}
