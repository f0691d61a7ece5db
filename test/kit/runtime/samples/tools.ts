/** Samples of tools and MCP servers. */
import { at } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

const presetContent = { name: 'p', kind: 'PLAN', tools: [{ source: 'BUILTIN', name: 'get_apps' }] }

export const tools = {
  toolGrant: {
    init: { presetIds: [], repositoryId: null, tools: [] },
    events: { 'none of its events': {} },
  },
  mcpToolPreset: {
    init: {},
    events: {
      add: { presetId: 'mtp_1', ...presetContent },
      'add of the same name': { presetId: 'mtp_2', ...presetContent, name: 'P' },
      'update by tools': { presetId: 'mtp_1', tools: [{ source: 'EXTERNAL', serverId: 'mcs_1', name: 't' }] },
      'update by toolNames': { presetId: 'mtp_1', tools: presetContent.tools, legacy: true },
      'update of another revision': { presetId: 'mtp_1', name: 'q', expectedRevision: 9 },
      remove: { presetId: 'mtp_1' },
      import: {
        importId: 'mpi_1',
        by: 'usr_1',
        skipped: 0,
        puts: [{ presetId: 'mtp_3', replaces: null, ...presetContent, name: 'i' }],
      },
      'import over another revision': {
        importId: 'mpi_2',
        by: 'usr_1',
        skipped: 0,
        puts: [{ presetId: 'mtp_1', replaces: 9, ...presetContent }],
      },
    },
  },
  presetImport: {
    init: {
      by: 'usr_1',
      createdAt: at,
      skipped: 0,
      presets: [{ presetId: 'mtp_1', action: 'CREATE', name: 'p', kind: 'PLAN' }],
    },
    events: { change: {} },
  },
  mcpServer: {
    init: {
      name: 'm',
      catalogPrefix: null,
      url: 'https://mcp.example/mcp',
      transport: 'STREAMABLE_HTTP',
      createdBy: 'usr_1',
      createdAt: at,
    },
    events: {
      'configure a name': { name: 'n', catalogPrefix: 'c' },
      'configure another path': { url: 'https://mcp.example/other' },
      'configure another host': { url: 'https://else.example/mcp', transport: 'SSE' },
      setHeaders: { origin: 'https://mcp.example', set: { authorization: 's1' }, remove: [] },
      'setHeaders for another host': { origin: 'https://else.example', set: { authorization: 's2' }, remove: [] },
      reseal: { from: 's1', to: 's1 re-encrypted' },
      'reseal what is gone': { from: 's0', to: 's0 re-encrypted' },
      enable: {},
      disable: {},
      refresh: {},
      'configure at revision 9': { name: 'n', expectedRevision: 9 },
      'delete at revision 9': { expectedRevision: 9 },
      'answered a discovery': { endpointRevision: 0, toolCount: 3 },
      'answered a call': { endpointRevision: 0, toolCount: null },
      'answered to former headers': { endpointRevision: 9, toolCount: 3 },
      failed: { endpointRevision: 0, message: 'no', open: false },
      'failed once too often': { endpointRevision: 0, message: 'no', open: true },
      delete: {},
    },
  },
} satisfies AreaSamples
