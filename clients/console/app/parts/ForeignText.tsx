/**
 * A text that a sender chose, such as the name of a function in a crash report. Its writing direction does not change the text around it, it
 * can be broken anywhere, and the characters that cannot be seen are named.
 */
import { nameCharacter, splitControls } from './splitControls.ts'

export function ForeignText({ text }: { readonly text: string }) {
  return (
    <bdi class="foreign-text">
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
