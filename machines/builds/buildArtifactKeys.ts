/** The unique name of an artifact. */
export function buildArtifactKey(buildId: string, path: string): string {
  return `${buildId}|${path}`
}
