/** Validates a caller's selection of tools: each tool exists, and none is selected twice. */
import * as v from 'valibot'
import { named, text } from '../../core/types.ts'
import { mostTools } from './preset.ts'
import { serverId } from './servers.ts'

export const toolSource = named(
  'McpToolSource',
  'The source of a tool: this service, or an external MCP server.',
  v.picklist(['BUILTIN', 'EXTERNAL']),
)

export const builtinName = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a built-in tool, in snake case'),
)

/** The name that the server gives the tool. */
export const rawName = text({ min: 1, max: 256 })

export const chosen = named(
  'McpToolSelectionInput',
  'A tool of a preset.',
  v.object({
    source: toolSource,
    name: v.pipe(
      rawName,
      v.description('The name of a built-in tool, or the name that its server gives an external tool, not the alias.'),
    ),
    serverId: v.pipe(
      v.nullish(serverId),
      v.description('The ID of the server of an external tool. Omit it for a built-in tool.'),
    ),
  }),
)

export const tools = v.pipe(
  v.nullish(v.pipe(v.array(chosen), v.maxLength(mostTools))),
  v.description('All tools of the preset, in the order in which they are shown.'),
)

export const toolNames = v.pipe(
  v.nullish(v.pipe(v.array(builtinName), v.maxLength(mostTools))),
  v.metadata({ deprecated: 'Use tools, which can also name external tools.' }),
  v.description('The names of built-in tools, for older clients. Not together with tools.'),
)
