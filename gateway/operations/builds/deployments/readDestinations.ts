/** The places on a machine to which a build can be deployed. */

import type { AgentDestinations } from '../../../../machines/agents/agentDestinations.ts'
import { agentMembers } from '../../../../machines/agents/agentKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { DestinationKind } from '../../../../spec/builds/deployments/deploymentEnums.ts'
import { matchesPattern } from '../../../../spec/builds/filePattern.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'
import { nameOf } from '../artifacts.ts'
import { formOf, formsFor, neededFiles } from './artifactForm.ts'

export interface Destination {
  readonly kind: DestinationKind
  readonly id: string | null
  readonly name: string
  /** The command of COMMAND. */
  readonly command: string | null
  readonly problem: string | null
  readonly needsArtifact: boolean
  /** The artifacts that can be deployed there. */
  readonly artifacts: readonly TypedRow<'buildArtifact'>[]
}

/** One that is still being uploaded can be chosen too: its transfer waits until it is stored. */
const usableStatuses = ['UPLOADING', 'STORED', 'PINNED']

export async function readUsableArtifacts(
  buildId: string,
  views: TypedViews,
): Promise<readonly TypedRow<'buildArtifact'>[]> {
  return await everyRow(views, { kind: 'buildArtifact', where: { scopeId: buildId }, statuses: usableStatuses })
}

export async function readAgentDestinations(
  agentId: string,
  views: TypedViews,
): Promise<AgentDestinations | undefined> {
  const [member] = await views.members(agentId, agentMembers.destinations, 1)
  return member?.value as AgentDestinations | undefined
}

/** The reason, as a sentence, why nothing can be deployed to a machine now. Undefined if something can. */
export function describeUnavailable({ init, columns, context }: TypedRow<'agent'>): string | undefined {
  if (columns.status !== 'CONNECTED') return `The agent ${init.name} is ${columns.status}, not CONNECTED.`
  if (context.drain.draining) return `The agent ${init.name} drains, so it starts nothing new.`
  return undefined
}

interface DestinationParts {
  readonly build: TypedRow<'build'>
  /** The agent that has built it. */
  readonly source: TypedRow<'agent'>
  readonly target: TypedRow<'agent'>
  readonly reported: AgentDestinations | undefined
  readonly artifacts: readonly TypedRow<'buildArtifact'>[]
}

/** The machine itself, its devices, then the commands of the build configuration. */
export function listDestinations(parts: DestinationParts): readonly Destination[] {
  const { build, target, reported } = parts
  const unavailable = describeUnavailable(target) ?? null
  return [
    toHost(parts, unavailable),
    ...(reported?.destinations ?? []).map(({ kind, id, name, problem }) => {
      const artifacts = parts.artifacts.filter(({ init }) => hasForm(init.path, kind))
      const missing = artifacts.length === 0 ? describeMissing(kind) : null
      return {
        ...{ kind, id, name, command: null, needsArtifact: true, artifacts },
        problem: unavailable ?? problem ?? missing,
      }
    }),
    ...(build.init.content.destinations ?? []).map((command) => toCommand(command, parts, unavailable)),
  ]
}

function toHost({ source, target, artifacts: all }: DestinationParts, unavailable: string | null): Destination {
  const { platform, arch } = target.context.facts
  const startable = all.filter(({ init }) => hasForm(init.path, 'HOST'))
  const isSame = platform === source.context.facts.platform && arch === source.context.facts.arch
  const artifacts = startable.filter(({ init }) => isSame || formOf(nameOf(init.path)) === 'SCRIPT')
  const other = `The program was built on ${source.init.name} (${source.context.facts.platform} ${source.context.facts.arch}), and ${target.init.name} has ${platform} ${arch}.`
  const missing = artifacts.length > 0 ? null : startable.length > 0 ? other : describeMissing('HOST')
  return {
    ...{ kind: 'HOST', id: null, name: target.context.facts.hostname, command: null, needsArtifact: true, artifacts },
    problem: unavailable ?? missing,
  }
}

function toCommand(
  { name, command, artifact }: { readonly name: string; readonly command: string; readonly artifact: string | null },
  { build, artifacts: all }: DestinationParts,
  unavailable: string | null,
): Destination {
  const artifacts = artifact === null ? [] : all.filter(({ init }) => matchesPattern(artifact, init.path))
  const { status } = build.columns
  const missing =
    artifact === null
      ? status === 'SUCCEEDED'
        ? null
        : `The build is ${status}, not SUCCEEDED.`
      : artifacts.length === 0
        ? `The build has no artifact that matches ${artifact}.`
        : null
  return {
    ...{ kind: 'COMMAND', id: name, name, command, needsArtifact: artifact !== null, artifacts },
    problem: unavailable ?? missing,
  }
}

function hasForm(path: string, kind: keyof typeof formsFor): boolean {
  const form = formOf(nameOf(path))
  return form !== undefined && formsFor[kind].includes(form)
}

const describeMissing = (kind: keyof typeof neededFiles): string =>
  `The build has no artifact for it: ${neededFiles[kind]}.`
