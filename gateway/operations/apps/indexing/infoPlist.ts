/** The facts in the `Info.plist` of a dSYM, as XML or in Apple's binary format. */
import * as v from 'valibot'
import { bundleIdentifier as bundleIdentifierForm } from '../../../../spec/apps/bundleIdentifier.ts'
import { readBinaryPlist } from './binaryPlist.ts'
import { readXmlPlist } from './xmlPlist.ts'

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
const keys: ReadonlySet<string> = new Set(['CFBundleIdentifier', 'CFBundleShortVersionString', 'CFBundleVersion'])

/** @throws PlistProblem */
export function readInfoPlist(bytes: Buffer): BundleFacts {
  const values = isBinary(bytes) ? readBinaryPlist(bytes, keys) : readXmlPlist(bytes.toString(), keys)
  return {
    bundleIdentifier: identifierOf(values.get('CFBundleIdentifier')),
    version: textOf(values.get('CFBundleShortVersionString')),
    build: textOf(values.get('CFBundleVersion')),
  }
}

export const noFacts: BundleFacts = { bundleIdentifier: null, version: unknown, build: unknown }

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 6).toString('latin1') === 'bplist'

function identifierOf(value: string | number | undefined): string | null {
  if (typeof value !== 'string') return null
  const own = value.startsWith(dsymPrefix) ? value.slice(dsymPrefix.length) : value
  return v.is(bundleIdentifierForm, own) ? own : null
}

/** Text of a hostile file: without control characters, and not long. Half of a character is not kept. */
function textOf(value: string | number | undefined): string {
  const clean = String(value ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, mostLength)
    .replace(/[\ud800-\udbff]$/, '')
  return clean === '' ? unknown : clean
}
