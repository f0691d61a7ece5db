/** Links by which anyone can download a file for some minutes. A link is signed over the file and the time until which it is valid. */
import { linkMs } from '../../../spec/builds/artifacts.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Signings } from '../../secrets/signing.ts'

/** The uses of links. A link for one is not valid for another. */
type LinkPurpose = 'artifact' | 'manifest' | 'page'

export interface DownloadLink {
  /** The value of the query parameter `link`. */
  readonly link: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export function signLink(
  purpose: LinkPurpose,
  id: string,
  now: number,
  signings: Signings,
  validMs = linkMs,
): DownloadLink {
  const expiresAt = now + validMs
  return { link: signings.downloadLink.sign(`${purpose} ${id} ${expiresAt}`), expiresAt }
}

/** @throws Failure FORBIDDEN */
export function requireLink(purpose: LinkPurpose, id: string, link: string, now: number, signings: Signings): void {
  const [givenPurpose, givenId, expiresAt] = signings.downloadLink.open(link)?.split(' ') ?? []
  if (givenPurpose !== purpose || givenId !== id) throw invalid('This link is not valid for this file.')
  if (Number(expiresAt) > now) return
  throw invalid('This link has expired. Ask for a new one.')
}

function invalid(message: string): Failure {
  return new Failure('FORBIDDEN', message, { details: { reason: 'LINK_INVALID' } })
}
