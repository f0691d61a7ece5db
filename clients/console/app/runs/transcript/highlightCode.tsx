/** Colors code by the languages that coding CLIs write most. The result of the highlighter becomes elements, never HTML. */
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { ComponentChildren } from 'preact'

const languages = { bash, css, diff, go, java, json, markdown, python, rust, sql, swift, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)
highlighter.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' })

/** A part of the highlighter's result, which its types do not describe. */
type ResultNode = string | { readonly scope?: string; readonly children: readonly ResultNode[] }

/** @returns undefined if the language is not known */
export function highlightCode(code: string, language: string): ComponentChildren {
  if (highlighter.getLanguage(language) === undefined) return undefined
  const result = highlighter.highlight(code, { language, ignoreIllegals: true })
  const { root } = result._emitter as unknown as { readonly root: Exclude<ResultNode, string> }
  return root.children.map(renderNode)
}

function renderNode(node: ResultNode, key: number): ComponentChildren {
  if (typeof node === 'string') return node
  // `title.function` has the colors of `title`.
  const scope = node.scope?.split('.', 1)[0]
  return (
    <span key={key} data-scope={scope}>
      {node.children.map(renderNode)}
    </span>
  )
}
