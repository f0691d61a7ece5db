/** The difference of two texts in the unified format, with its added and removed lines marked. */

const types: Readonly<Record<string, string>> = { '+': 'ADDED', '-': 'REMOVED', '@': 'PLACE' }

export function UnifiedDiff({ diff, label }: { readonly diff: string; readonly label: string }) {
  // The lines before the first place name the files.
  const lines = diff.split('\n')
  const first = lines.findIndex((line) => line.startsWith('@@'))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="plan-diff" aria-label={label} tabIndex={0}>
      <pre class="diff">
        {lines.slice(Math.max(0, first)).map((line, index) => (
          <span key={index} data-type={types[line.charAt(0)]}>
            {line === '' ? ' ' : line}
          </span>
        ))}
      </pre>
    </section>
  )
}
