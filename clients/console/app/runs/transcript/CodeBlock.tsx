/** A block of code. Its colors come when the highlighter is loaded, which only pages with code need. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messages } from '../../messages.ts'
import { ScrollBox } from '../../parts/ScrollBox.tsx'

/** Longer code is shown without colors: highlighting it for each piece that arrives would block the browser. */
const maxHighlightedLength = 20_000

interface CodeBlockProps {
  readonly code: string
  /** As the model names it. Empty if it names none. */
  readonly language: string
}

type Highlight = typeof import('./highlightCode.tsx')['highlightCode']

let highlight: Highlight | undefined

export function CodeBlock({ code, language }: CodeBlockProps) {
  const name = language.split(/\s/, 1)[0] ?? ''
  const isColored = name !== '' && code.length <= maxHighlightedLength
  const highlightCode = useHighlight(isColored)
  const colored: ComponentChildren = isColored ? highlightCode?.(code, name) : undefined
  return (
    <ScrollBox class="code-block" label={name === '' ? messages.run.transcript.code : name}>
      <pre>
        <code>{colored ?? code}</code>
      </pre>
    </ScrollBox>
  )
}

/** Undefined until the highlighter is loaded. Without it the code has no colors. */
function useHighlight(isNeeded: boolean): Highlight | undefined {
  const [, render] = useState(false)
  useEffect(() => {
    if (!isNeeded || highlight !== undefined) return
    import('./highlightCode.tsx').then(
      (loaded) => {
        highlight = loaded.highlightCode
        render(true)
      },
      () => {},
    )
  }, [isNeeded])
  return highlight
}
