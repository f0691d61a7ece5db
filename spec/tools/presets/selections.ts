/** Validates a caller's selection of tools: each tool exists, and none is selected twice. */
import * as v from 'valibot'
import { named, text } from '../../core/types.ts'
import { mostTools } from './preset.ts'
import { serverId } from './servers.ts'

export const toolSource = named(
  'McpToolSource',
  'Whose a tool is: this service’s own, or an external MCP server’s.',
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
  'A tool that a preset is to hold.',
  v.object({
    source: toolSource,
    name: v.pipe(
      rawName,
      v.description(
        'Of a built-in tool its name; of an external one the name that its server gives it, not the alias.',
      ),
    ),
    serverId: v.pipe(v.nullish(serverId), v.description('Of an external tool: the ID of its server.')),
  }),
)

export const tools = v.pipe(
  v.nullish(v.pipe(v.array(chosen), v.maxLength(mostTools))),
  v.description('The complete membership, in the order in which it is to be shown.'),
)

export const toolNames = v.pipe(
  v.nullish(v.pipe(v.array(builtinName), v.maxLength(mostTools))),
  v.metadata({ deprecated: 'Use tools, which can name external tools too.' }),
  v.description('From before external tools: the names of built-in tools. Not together with tools.'),
)
