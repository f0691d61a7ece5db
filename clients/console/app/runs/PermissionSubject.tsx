/** The command and the changes of a permission request. A person decides on these, not on a title. */
import { nameWords } from '../parts/nameWords.ts'
import { type Diff, type Question, subjectOf } from './question.ts'

export function PermissionSubject({ question }: { readonly question: Question }) {
  const subject = subjectOf(question)
  if (subject === undefined) return null
  const { kind, command, paths, diffs, texts, input, omitted } = subject
  return (
    <div class="subject">
      {kind !== '' && <p class="hint">Kind of tool: {nameWords(kind)}</p>}
      {command !== '' && <Block label="Command" text={command} />}
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
        <Block key={index} label="Details" text={text} />
      ))}
      {omitted > 0 && <p class="hint">{omitted.toLocaleString()} more files or changes are not shown.</p>}
      {/* The input of an edit contains the texts that the diff shows. */}
      {input !== '' && diffs.length === 0 && <Block label="Input" text={input} />}
    </div>
  )
}

function Block({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="block" data-wraps={label === 'Command'} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}

const marks = { SAME: ' ', REMOVED: '−', ADDED: '+' } as const

function DiffBlock({ diff: { path, lines } }: { readonly diff: Diff }) {
  return (
    <figure class="diff">
      <figcaption class="path">{path}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
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
