import { is } from 'valibot'
import { type BundleFacts, readInfoPlist } from '../../../../../gateway/operations/apps/indexing/infoPlist.ts'
import { PlistProblem } from '../../../../../gateway/operations/apps/indexing/plistProblem.ts'
import { bundleIdentifier } from '../../../../../spec/apps/bundleIdentifier.ts'
import { type BinaryObject, writeBinaryPlist } from '../../../../kit/program/objects/binaryPlists.ts'
import { infoPlist } from '../../../../kit/program/objects/dsymZips.ts'
import type { FuzzedReader } from '../fuzzedReader.ts'
import { mutatePlist } from '../mutate/plist.ts'
import { textFaults } from './textFaults.ts'

export const plist: FuzzedReader = {
  name: 'plist',
  sources: ['/indexing/infoPlist.ts', '/indexing/binaryPlist.ts', '/indexing/xmlPlist.ts', '/saxes/saxes.js'],
  makeSeeds: async () => plistSeeds(),
  mutate: mutatePlist,
  read: async (file) => {
    const facts = readInfoPlist(file)
    const { bundleIdentifier: own, version, build } = facts
    const form = `${own === null ? 'none' : 'own'} ${version === '0' ? 0 : 1}${build === '0' ? 0 : 1}`
    return { value: facts, form, faults: factsFaults(facts) }
  },
  isDeclared: (error) => error instanceof PlistProblem,
}

export function factsFaults(facts: BundleFacts): string[] {
  const { bundleIdentifier: own, version, build } = facts
  const faults = textFaults(facts)
  if (own !== null && !is(bundleIdentifier, own)) faults.push('an invalid bundle identifier')
  for (const one of [version, build])
    if (one.length === 0 || one.length > 100) faults.push('a version with an invalid length')
  return faults
}

/** With the keys of other values than text, as Xcode writes them. */
export function plistSeeds(): readonly Buffer[] {
  const xml = infoPlist('org.example.shop', '1.2 😀', '34')
  const more =
    '<key>Colors</key><array><integer>1</integer><real>0.5</real><true/><data>AAEC</data><date>2026-01-05T09:30:00Z</date></array>'
  const texts = [
    xml,
    xml.replace('<dict>', `<dict>${more}`),
    xml.replace(/<string>34<\/string>/, '<integer>34</integer>'),
  ]
  return [...texts.map((text) => Buffer.from(text)), ...binarySeeds()]
}

function binarySeeds(): readonly Buffer[] {
  const keys = ['CFBundleIdentifier', 'CFBundleShortVersionString', 'CFBundleVersion', 'UIDeviceFamily']
  const texts = ['com.apple.xcode.dsym.org.example.shop', '1.2', '34', 'Größe 大 😀']
  const names = keys.map((text): BinaryObject => ({ text }))
  const values = texts.map((text): BinaryObject => ({ text }))
  const list: BinaryObject = { array: [5, 6, 8] }
  const top: BinaryObject = { keys: [1, 2, 3, 4], values: [5, 6, 7, 9] }
  const numbers = ['1122', '110022', '23401c000000000000', '130000000000000022'].map(
    (hex): BinaryObject => ({ bytes: Buffer.from(hex, 'hex') }),
  )
  return [
    writeBinaryPlist([top, ...names, ...values, list]),
    writeBinaryPlist([top, ...names, ...values.with(1, { text: '1.2 大' }), list]),
    ...numbers.map((number) => writeBinaryPlist([top, ...names, ...values.with(2, number), list])),
  ]
}
