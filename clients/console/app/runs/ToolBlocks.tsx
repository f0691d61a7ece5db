/** The parts of a tool call: texts, files, and changes of files. */
import { format, messages } from '../messages.ts'
import { ScrollBox } from '../parts/ScrollBox.tsx'
import type { FileDiff } from './parsePermission.ts'

const { tool: texts } = messages.run

/** The number of characters of a text that are shown. More would block the browser. */
const maxShownLength = 20_000

interface TextBlockProps {
  readonly label: string
  readonly text: string
  /** Whether long lines are wrapped. Otherwise the block scrolls sideways. */
  readonly wraps?: boolean
}

export function TextBlock({ label, text, wraps = false }: TextBlockProps) {
  const omitted = text.length - maxShownLength
  return (
    <>
      <ScrollBox class="block" label={label} wraps={wraps}>
        <pre>{omitted > 0 ? text.slice(0, maxShownLength) : text}</pre>
      </ScrollBox>
      {omitted > 0 && <p class="hint">{format(texts.moreCharacters, { count: omitted })}</p>}
    </>
  )
}

interface FileListProps {
  readonly files: readonly { readonly path: string; readonly line?: number | null }[]
}

export function FileList({ files }: FileListProps) {
  return (
    <ul class="paths" aria-label={texts.files}>
      {files.map(({ path, line }) => (
        <li key={`${path}:${line}`} class="path">
          {line ? `${path}:${line}` : path}
        </li>
      ))}
    </ul>
  )
}

const marks = { SAME: ' ', REMOVED: '−', ADDED: '+' } as const

export function DiffBlock({ diff: { path, lines } }: { readonly diff: FileDiff }) {
  return (
    <figure class="diff">
      <figcaption class="path">{path}</figcaption>
      <ScrollBox class="block" label={format(texts.changesTo, { path })}>
        <pre>
          {lines.map(({ type, text }, index) => (
            <span key={index} data-type={type}>
              {marks[type]} {text}
              {'\n'}
            </span>
          ))}
        </pre>
      </ScrollBox>
    </figure>
  )
}
