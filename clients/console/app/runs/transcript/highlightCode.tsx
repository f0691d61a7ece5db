/** Colors code. The result of the highlighter becomes elements, never HTML. */
import { common, createLowlight } from 'lowlight'
import type { ComponentChildren } from 'preact'

const highlighter = createLowlight(common)
const scopePrefix = 'hljs-'

type Root = ReturnType<typeof highlighter.highlight>
type Node = Root['children'][number]

/** @returns undefined if the language is not known */
export function highlightCode(code: string, language: string): ComponentChildren {
  if (!highlighter.registered(language)) return undefined
  return highlighter.highlight(language, code, { prefix: scopePrefix }).children.map(renderNode)
}

function renderNode(node: Node, key: number): ComponentChildren {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  // The classes of `title.function` are `hljs-title` and `function_`. It has the colors of `title`.
  const [scope] = [node.properties.className ?? []].flat()
  return (
    <span key={key} data-scope={String(scope).slice(scopePrefix.length)}>
      {node.children.map(renderNode)}
    </span>
  )
}
