/** A preset in an answer. */
import * as v from 'valibot'
import { revision } from '../../core/revision.ts'
import { atMost, dateTime, id, named } from '../../core/types.ts'
import { mostTools } from './preset.ts'
import { presetKinds } from './presetKinds.ts'
import { toolSource } from './selections.ts'

export const presetKind = named(
  'McpToolPresetKind',
  'The kind of runs that a preset’s tools are for.',
  v.picklist(presetKinds),
)

const presetTool = named(
  'McpToolPresetTool',
  'A tool that a preset holds.',
  v.object({
    source: toolSource,
    name: v.pipe(
      v.string(),
      v.description('The name of a built-in tool, or the name that its server gives an external tool, not the alias.'),
    ),
    serverId: v.pipe(
      v.nullable(id),
      v.description('The ID of the server of an external tool. Null for a built-in tool.'),
    ),
    serverName: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The name of the server of an external tool. Null for a built-in tool, and if the server was removed.',
      ),
    ),
  }),
)

export const presetSchema = named(
  'McpToolPreset',
  'A named selection of tools of this service and of external MCP servers. An MCP endpoint serves it, or a run gets it.',
  v.object({
    id,
    name: v.pipe(v.string(), v.description('The name, unique among the presets of the kind regardless of case.')),
    kind: presetKind,
    tools: v.pipe(atMost(mostTools, presetTool), v.description('All tools of the preset, in their order.')),
    toolNames: v.pipe(
      v.array(v.string()),
      v.metadata({ deprecated: 'Use tools, which also names external tools.' }),
      v.description('The names of only the built-in tools of the preset.'),
    ),
    revision,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)
