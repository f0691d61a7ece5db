/**
 * A text that a sender chose, such as the name of a function in a crash report. Its writing direction does not change the text around it, it
 * can be broken anywhere, and the characters that cannot be seen are named.
 */
import { nameCharacter, splitControls } from './splitControls.ts'

interface ForeignTextProps {
  readonly text: string
  /** Whether the text is code or a path, which is written from left to right whatever its letters are. */
  readonly isCode?: boolean
}

export function ForeignText({ text, isCode = false }: ForeignTextProps) {
  return (
    <bdi class="foreign-text" dir={isCode ? 'ltr' : 'auto'}>
      {splitControls(text).map((piece, index) =>
        piece.isControl ? (
          <span key={index} class="control-character">
            {nameCharacter(piece.text)}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}
