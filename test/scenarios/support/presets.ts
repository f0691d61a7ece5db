import { mutate } from './runs.ts'
import type { Stage } from './stage.ts'

export interface ExternalChoice {
  readonly serverId: string
  readonly name: string
}

let made = 0

/** A preset of built-in tools, by their names, and of external ones. */
export async function makePreset(
  { ask }: Stage,
  tools: readonly (string | ExternalChoice)[],
  kind: 'PLAN' | 'SESSION' = 'SESSION',
): Promise<string> {
  const chosen = tools.map((one) =>
    typeof one === 'string' ? { source: 'BUILTIN', name: one } : { source: 'EXTERNAL', ...one },
  )
  const input = { name: `preset ${++made}`, kind, tools: chosen }
  const { preset } = await mutate<{ preset: { id: string } }>(
    ask,
    'createMcpToolPreset',
    input,
    'preset { id }',
    'McpToolPresetInput',
  )
  return preset.id
}
