/** A preset in an answer. */
import * as v from 'valibot'
import { revision } from '../../core/revision.ts'
import { atMost, dateTime, id, named } from '../../core/types.ts'
import { mostTools, presetKinds } from './preset.ts'
import { toolSource } from './selections.ts'

export const presetKind = named('McpToolPresetKind', 'What a preset’s tools are for.', v.picklist(presetKinds))

const presetTool = named(
  'McpToolPresetTool',
  'A tool that a preset holds.',
  v.object({
    source: toolSource,
    name: v.pipe(v.string(), v.description('Of an external tool the name that its server gives it, not the alias.')),
    serverId: v.pipe(v.nullable(id), v.description('Null for a built-in tool.')),
    serverName: v.pipe(
      v.nullable(v.string()),
      v.description('Null for a built-in tool, and where its server was removed.'),
    ),
  }),
)

export const presetSchema = named(
  'McpToolPreset',
  'A choice of tools under a name, of this service and of external MCP servers: what an endpoint serves and a run is given.',
  v.object({
    id,
    name: v.pipe(v.string(), v.description('No two presets of a kind have the same, capitals aside.')),
    kind: presetKind,
    tools: v.pipe(atMost(mostTools, presetTool), v.description('The complete membership, in its order.')),
    toolNames: v.pipe(
      v.array(v.string()),
      v.metadata({ deprecated: 'Use tools, which names external tools too.' }),
      v.description('The names of its built-in tools alone.'),
    ),
    revision,
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)
