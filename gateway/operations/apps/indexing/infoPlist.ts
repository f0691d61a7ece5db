/** The facts in the `Info.plist` of a dSYM, as XML or in Apple's binary format. */
import { parse } from 'plist'
import * as v from 'valibot'
import { bundleIdentifier as bundleIdentifierForm } from '../../../../spec/apps/bundleIdentifier.ts'

export interface BundleFacts {
  /** Of the binary that the symbols belong to. */
  readonly bundleIdentifier: string | null
  readonly version: string
  readonly build: string
}

/** Version and build of a dSYM without them, as `dsymutil` writes it for a binary without an `Info.plist`. */
const unknown = '0'

/** Xcode puts this before the identifier of the binary. */
const dsymPrefix = 'com.apple.xcode.dsym.'
const mostLength = 100

/** @throws Error if the bytes are no property list */
export function readInfoPlist(bytes: Buffer): BundleFacts {
  const value: unknown = parse(isBinary(bytes) ? bytes : bytes.toString())
  if (value === null || typeof value !== 'object') throw new Error('it has no dictionary')
  const fields = value as Readonly<Record<string, unknown>>
  return {
    bundleIdentifier: identifierOf(fields.CFBundleIdentifier),
    version: textOf(fields.CFBundleShortVersionString),
    build: textOf(fields.CFBundleVersion),
  }
}

export const noFacts: BundleFacts = { bundleIdentifier: null, version: unknown, build: unknown }

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 6).toString('latin1') === 'bplist'

function identifierOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const own = value.startsWith(dsymPrefix) ? value.slice(dsymPrefix.length) : value
  return v.is(bundleIdentifierForm, own) ? own : null
}

/** Text of a hostile file: without control characters, and not long. */
function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return unknown
  const clean = String(value).replace(/\p{C}/gu, '').trim().slice(0, mostLength)
  return clean === '' ? unknown : clean
}
