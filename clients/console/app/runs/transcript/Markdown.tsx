/**
 * Text in Markdown as elements. Its tokens become elements one by one: HTML in it is shown as text, images as links, and only links to
 * the web and to mail are links. The text comes from a model, so it may try anything.
 */
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { CodeBlock } from './CodeBlock.tsx'

/** A longer text is shown as it is: parsing it for each piece that arrives would block the browser. */
const maxParsedLength = 100_000
/** Blocks in blocks, such as lists and quotes. Deeper ones are shown as text. */
const maxDepth = 20

export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => parse(text), [text])
  if (tokens === undefined) return <p class="plain">{text}</p>
  return <div class="markdown">{renderAll(tokens, 0)}</div>
}

/** Undefined if the text is too long or too deep. */
function parse(text: string): readonly Token[] | undefined {
  if (text.length > maxParsedLength) return undefined
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text)
  } catch {
    // The lexer calls itself for each quote in a quote, so the stack may overflow.
    return undefined
  }
}

function renderAll(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return tokens?.map((token, index) => renderToken(token as MarkedToken, index, depth + 1))
}

function renderToken(token: MarkedToken, key: number, depth: number): ComponentChildren {
  if (depth > maxDepth) return token.raw
  switch (token.type) {
    case 'heading':
      // Not a heading of the page: its level would depend on what the model writes.
      return (
        <p key={key} class="markdown-heading" data-depth={token.depth}>
          {renderAll(token.tokens, depth)}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{renderAll(token.tokens, depth)}</p>
    case 'blockquote':
      return <blockquote key={key}>{renderAll(token.tokens, depth)}</blockquote>
    case 'code':
      return <CodeBlock key={key} code={token.text} language={token.lang ?? ''} />
    case 'list':
      return renderList(token, key, depth)
    case 'table':
      return renderTable(token, key, depth)
    case 'hr':
      return <hr key={key} />
    case 'strong':
      return <strong key={key}>{renderAll(token.tokens, depth)}</strong>
    case 'em':
      return <em key={key}>{renderAll(token.tokens, depth)}</em>
    case 'del':
      return <del key={key}>{renderAll(token.tokens, depth)}</del>
    case 'codespan':
      return <code key={key}>{token.text}</code>
    case 'br':
      return <br key={key} />
    case 'link':
      return renderLink(token.href, renderAll(token.tokens, depth), key)
    case 'image':
      return renderLink(token.href, token.text || token.href, key)
    case 'text':
      return 'tokens' in token && token.tokens ? renderAll(token.tokens, depth) : token.text
    case 'escape':
      return token.text
    case 'checkbox':
    case 'def':
    case 'space':
      return null
    default:
      return token.raw
  }
}

function renderLink(href: string, children: ComponentChildren, key: number): ComponentChildren {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return <span key={key}>{children}</span>
  return (
    <a key={key} href={href} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  )
}

function renderList({ ordered, start, items }: Tokens.List, key: number, depth: number): ComponentChildren {
  const children = items.map(({ tokens, task, checked }, index) => (
    <li key={index} data-task={task || undefined}>
      {task && (checked ? '☑ ' : '☐ ')}
      {renderAll(tokens, depth)}
    </li>
  ))
  return ordered ? (
    <ol key={key} start={start === '' ? 1 : start}>
      {children}
    </ol>
  ) : (
    <ul key={key}>{children}</ul>
  )
}

function renderTable({ header, rows }: Tokens.Table, key: number, depth: number): ComponentChildren {
  return (
    <div key={key} class="markdown-table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} data-align={align ?? undefined}>
                {renderAll(tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens, align }, index) => (
                <td key={index} data-align={align ?? undefined}>
                  {renderAll(tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
