/** The coding CLIs of a machine, as its agent reports them. Each has the time at which its present form was first reported. */
import type { Json } from '../../spec/core/actor.ts'
import type { Members } from '../framework/members.ts'
import { agentMembers } from './agentKeys.ts'

type Cli = { readonly name: string; readonly since?: number; readonly [key: string]: Json | undefined }

export function noteClis(members: Members, reported: Json, at: number): Members {
  const before = (members.get(agentMembers.clis) ?? []) as readonly Cli[]
  const clis = (reported as readonly Cli[]).map((cli) => {
    const known = before.find(({ name }) => name === cli.name)
    const since = known !== undefined && isSame(known, cli) ? (known.since ?? at) : at
    return { ...cli, since }
  })
  return members.with(agentMembers.clis, clis as unknown as Json)
}

function isSame({ since: _, ...known }: Cli, cli: Cli): boolean {
  const keys = new Set([...Object.keys(known), ...Object.keys(cli)])
  return [...keys].every((key) => (known[key] ?? null) === (cli[key] ?? null))
}
