/** An app as the pages show it, and the operations on it. */
import { graphql, type ResultOf } from '../data/graphql.ts'

export const appFragment = graphql(`fragment AppFields on App {
  id bundleIdentifier name status revision createdAt registeredDeviceCount crashReportCounts { status count }
}`)

export type App = ResultOf<typeof appFragment>

export const createMutation = graphql('mutation ($input: CreateAppInput!) { createApp(input: $input) { app { id } } }')
export const renameMutation = graphql('mutation ($input: UpdateAppInput!) { updateApp(input: $input) { app { id } } }')
export const archiveMutation = graphql(
  'mutation ($input: ArchiveAppInput!) { archiveApp(input: $input) { app { id } } }',
)
export const restoreMutation = graphql(
  'mutation ($input: RestoreAppInput!) { restoreApp(input: $input) { app { id } } }',
)

/** The number of crash reports that lack symbols of a dSYM. */
export function countWaiting(counts: App['crashReportCounts']): number {
  return counts
    .filter(({ status }) => status === 'WAITING_FOR_SYMBOLS' || status === 'PARTIALLY_SYMBOLICATED')
    .reduce((sum, { count }) => sum + count, 0)
}

/** A build with its number, as Xcode writes it: `2.1 (210)`. */
export function formatBuild({ version, build }: { readonly version: string; readonly build: string }): string {
  return `${version} (${build})`
}
