/** `node docs/generate/tools.ts` writes `docs/tools.md` from the catalog: every built-in tool, what it does and what it takes. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { operations } from '../../gateway/operations/operations.ts'
import { builtinTools, type OperationTool } from '../../gateway/operations/tools/builtin.ts'
import { toolGroups } from '../../spec/tools/groups.ts'
import type { JsonSchema } from '../../spec/tools/tool.ts'

export const toolsPage = fileURLToPath(new URL('../tools.md', import.meta.url))

const introduction = `# Tools

What an AI client is given: each tool is an operation of [GraphQL](graphql.md), with the same checks and the same answers. This page is
written by \`node docs/generate/tools.ts\` from the catalog itself, and a test fails where it is not current.

- **reads**: it changes nothing. **changes**: it does. **destroys**: something can't be had back afterwards. **idempotent**: called again with
  the same arguments, it changes nothing more.
- **contained**: a run that calls it can act only on runs that it has started itself.
- An argument that is not required may be left out or be \`null\`. One that is not listed is refused.
- Lists come as \`{ nodes, pageInfo, totalCount }\`; go on with \`after: pageInfo.endCursor\` while \`pageInfo.hasNextPage\` is true. A list
  without pages comes as \`{ items }\`, and what is no object as \`{ value }\`.
`

export function toolsMarkdown(): string {
  const tools = [...builtinTools(operations).values()]
  const groups = toolGroups.map((group) => ({ ...group, own: tools.filter((tool) => tool.group === group.id) }))
  const filled = groups.filter(({ own }) => own.length > 0)
  const contents = filled.map(({ title, own }) => `| [${title}](#${anchor(title)}) | ${own.map(link).join(', ')} |`)
  const sections = filled.map(({ title, description, own }) =>
    [`## ${title}`, '', description, '', ...own.map(section)].join('\n'),
  )
  return [introduction, '| group | tools |', '|---|---|', ...contents, '', ...sections].join('\n')
}

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-')
const link = ({ name }: OperationTool): string => `[\`${name}\`](#${name})`

function section(tool: OperationTool): string {
  const { name, title, description, inputSchema, operation } = tool
  const facts = `*${title}.* ${[...marks(tool)].map((mark) => `**${mark}**`).join(', ')}; \`${operation.name}\` in GraphQL.`
  return [`### ${name}`, '', facts, '', description, '', ...argumentTable(inputSchema), ''].join('\n')
}

function* marks({ annotations, operation }: OperationTool): Generator<string> {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations
  yield readOnlyHint ? 'reads' : destructiveHint ? 'destroys' : 'changes'
  if (!readOnlyHint && idempotentHint) yield 'idempotent'
  if (operation.touches) yield 'contained'
}

function argumentTable(schema: JsonSchema): string[] {
  const rows = [...argumentsOf(schema, '')]
  if (rows.length === 0) return ['It takes no arguments.']
  return ['| argument | type | required | meaning |', '|---|---|---|---|', ...rows]
}

/** Fields of objects in it come after it, under their path. */
function* argumentsOf(schema: JsonSchema, path: string): Generator<string> {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] }
  for (const [name, field] of Object.entries(properties)) {
    const own = path + name
    const cells = [`\`${own}\``, typeOf(field), required.includes(name) ? 'yes' : '', String(field.description ?? '')]
    yield `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
    if (field.type === 'object') yield* argumentsOf(field, `${own}.`)
    if (field.type === 'array') yield* argumentsOf(field.items as JsonSchema, `${own}[].`)
  }
}

function typeOf(schema: JsonSchema): string {
  const { type, enum: values, minimum, maximum, maxLength, maxItems, items, format } = schema
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(' ')
  switch (type) {
    case 'array': {
      const most = maxItems === undefined ? '' : `, at most ${maxItems}`
      return `list${most}: ${typeOf(items as JsonSchema)}`
    }
    case 'integer':
    case 'number':
      return `${type}${bounds(minimum, maximum)}`
    case 'string':
      return format === 'date-time'
        ? 'time, RFC 3339'
        : `text${maxLength === undefined ? '' : `, at most ${maxLength}`}`
    case undefined:
      return 'any JSON'
    default:
      return Array.isArray(type) ? type.join(' or ') : String(type)
  }
}

function bounds(minimum: unknown, maximum: unknown): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, from ${minimum}`
  return maximum === undefined ? '' : `, to ${maximum}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(toolsPage, toolsMarkdown())
