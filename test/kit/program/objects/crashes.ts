/** Apps, crash reports and dSYMs as a script records them. */
import { randomUUID } from 'node:crypto'
import { GraphqlRefusal } from '../graphql.ts'
import { mutate } from '../runs.ts'
import type { Ask } from '../testProgram.ts'
import { until } from '../until.ts'

export interface Crash {
  readonly id: string
  readonly status: string
  readonly missingUuids: readonly string[]
  readonly missingImageCount: number
  readonly frameCount: number
  readonly namedFrameCount: number
}

const crashFields = 'id status missingUuids missingImageCount frameCount namedFrameCount'

export const newUuid = (): string => randomUUID().toUpperCase()

export const image = (uuid: string, name = 'Shop') => ({ name, uuid, arch: 'arm64' })

export async function makeApp(ask: Ask, bundleIdentifier: string): Promise<string> {
  const input = { bundleIdentifier, name: 'Shop' }
  return (await mutate<{ app: { id: string } }>(ask, 'createApp', input, 'app { id }')).app.id
}

/** A report whose one thread has a frame of each image, without a name unless it is among `named`. */
export function reportOf(bundleIdentifier: string, uuids: readonly string[], named: readonly string[] = []) {
  const frames = uuids.map((imageUuid, n) => ({
    imageUuid,
    address: `0x${(4_096 + n).toString(16)}`,
    ...(named.includes(imageUuid) ? { symbol: `function${n}` } : {}),
  }))
  return {
    reportId: newUuid(),
    bundleIdentifier,
    version: '2.1',
    build: '210',
    osName: 'iOS',
    osVersion: '18.5 (22F76)',
    deviceModel: 'iPhone15,2',
    happenedAt: '2026-01-05T09:30:00.000Z',
    exceptionType: 'EXC_BREAKPOINT (SIGTRAP)',
    exceptionReason: 'index out of range',
    threads: [{ crashed: true, frames: [...frames, { address: '0x1' }] }],
    images: uuids.map((uuid) => image(uuid)),
  }
}

/** A report has its UUID, so one whose answer came too late is sent again, as clients do. */
export async function recordCrash(ask: Ask, input: Readonly<Record<string, unknown>>, repeats = 3): Promise<Crash> {
  try {
    return (await mutate<{ crashReport: Crash }>(ask, 'recordCrashReport', input, `crashReport { ${crashFields} }`))
      .crashReport
  } catch (error) {
    if (repeats === 0 || !(error instanceof GraphqlRefusal) || error.code !== 'UNAVAILABLE') throw error
    return await recordCrash(ask, input, repeats - 1)
  }
}

export async function recordDsym(ask: Ask, bundleIdentifier: string, uuids: readonly string[]): Promise<string> {
  const input = { bundleIdentifier, version: '2.1', build: '210', images: uuids.map((uuid) => image(uuid)) }
  return (await mutate<{ dsym: { id: string } }>(ask, 'recordDsym', input, 'dsym { id }')).dsym.id
}

export const deleteDsym = (ask: Ask, dsymId: string) => mutate(ask, 'deleteDsym', { dsymId }, 'dsym { status }')

export async function crashOf(ask: Ask, id: string): Promise<Crash> {
  const { crashReport } = await ask<{ crashReport: Crash }>(
    `query ($id: ID!) { crashReport(id: $id) { ${crashFields} } }`,
    { id },
  )
  return crashReport
}

/** The ID of the report's group, which it joins in a moment. */
export async function groupOfCrash(ask: Ask, id: string): Promise<string> {
  return await until('the report to be in a group that counts it', async () => {
    const { crashReport } = await ask<{ crashReport: { group: { id: string; reportCount: number } | null } }>(
      'query ($id: ID!) { crashReport(id: $id) { group { id reportCount } } }',
      { id },
    )
    return crashReport.group?.reportCount ? crashReport.group.id : undefined
  })
}

interface FirstThread {
  readonly crashReport: {
    readonly threads: {
      readonly nodes: readonly {
        readonly frames: {
          readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean }
          readonly nodes: readonly { readonly symbol: string | null }[]
        }
      }[]
    }
  }
}

/** The symbols of all frames of a report's first thread, read page by page. */
export async function symbolsOf(ask: Ask, id: string): Promise<(string | null)[]> {
  const symbols: (string | null)[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const answer: FirstThread = await ask<FirstThread>(
      `query ($id: ID!, $after: String) { crashReport(id: $id) { threads(first: 1) { nodes {
        frames(first: 100, after: $after) { pageInfo { endCursor hasNextPage } nodes { symbol } }
      } } } }`,
      { id, after },
    )
    const frames = answer.crashReport.threads.nodes[0]?.frames
    symbols.push(...(frames?.nodes ?? []).map(({ symbol }) => symbol))
    after = frames?.pageInfo.hasNextPage ? frames.pageInfo.endCursor : null
  }
  return symbols
}
