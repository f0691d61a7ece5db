/** The changed lines of a file, in one column or in two. */
import { format, messages } from '../../messages.ts'
import { type ChangedLine, type Hunk, pairLines } from './parseChanges.ts'

const { changes: texts } = messages.run

const marks = { SAME: ' ', REMOVED: '−', ADDED: '+' } as const

interface FileLinesProps {
  readonly path: string
  readonly hunks: readonly Hunk[]
  readonly isSideBySide: boolean
}

export function FileLines({ path, hunks, isSideBySide }: FileLinesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="file-lines" aria-label={format(messages.run.tool.changesTo, { path })} tabIndex={0}>
      <table data-side-by-side={isSideBySide}>
        <thead>
          <tr>
            <th>{texts.lineBefore}</th>
            <th>{isSideBySide ? texts.before : texts.lineAfter}</th>
            <th>{isSideBySide ? texts.lineAfter : texts.line}</th>
            {isSideBySide && <th>{texts.after}</th>}
          </tr>
        </thead>
        {hunks.map((hunk) => (
          <tbody key={hunk.heading}>
            <tr class="hunk">
              <td colSpan={isSideBySide ? 4 : 3}>{hunk.heading}</td>
            </tr>
            {isSideBySide
              ? pairLines(hunk.lines).map(({ before, after }, index) => (
                  <tr key={index}>
                    <Half line={before} number={before?.before} />
                    <Half line={after} number={after?.after} />
                  </tr>
                ))
              : hunk.lines.map((line, index) => (
                  <tr key={index} data-type={line.type}>
                    <td class="number">{line.before}</td>
                    <td class="number">{line.after}</td>
                    <td class="text">
                      {marks[line.type]} {line.text}
                    </td>
                  </tr>
                ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function Half({ line, number }: { readonly line: ChangedLine | undefined; readonly number: number | undefined }) {
  return (
    <>
      <td class="number">{number}</td>
      <td class="text" data-type={line?.type ?? 'NONE'}>
        {line && `${marks[line.type]} ${line.text}`}
      </td>
    </>
  )
}
