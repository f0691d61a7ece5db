import { graphql, type ResultOf } from '../data/graphql.ts'

export const serverUrlFragment = graphql(`fragment ServerUrlFields on ServerUrlSettings {
  detected { localUrl remoteUrl proxyUrl lanUrls } effective { localUrl remoteUrl proxyUrl defaultKind }
  localUrlOverride remoteUrlOverride proxyUrlOverride defaultKind revision
}`)

export type ServerUrlSettings = ResultOf<typeof serverUrlFragment>
