import { is } from 'valibot'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { MachOProblem, type MachOSlice, readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { uuid as uuidForm } from '../../../../../spec/apps/binaryImages.ts'
import type { FuzzedReader } from '../fuzzedReader.ts'
import { mutateMachO } from '../mutate/machO.ts'
import { builtMachOs } from './builtMachOs.ts'

export const machO: FuzzedReader = {
  name: 'macho',
  sources: ['/dsymFiles/readMachO.ts', '/dsymFiles/byteSource.ts'],
  makeSeeds: async () => builtMachOs(),
  mutate: mutateMachO,
  read: async (file) => {
    const slices = await readMachO(sourceOf(file))
    const sections = slices.map(
      ({ dwarf, codeSections, symbols }) =>
        `${Math.min(9, dwarf.size)}${Math.min(9, codeSections.length)}${symbols === null ? 0 : 1}`,
    )
    return {
      value: slices,
      form: `${slices.length} ${sections.slice(0, 2).join()}`,
      faults: sliceFaults(slices, file.length),
    }
  },
  isDeclared: (error) => error instanceof MachOProblem,
}

const mostAddress = 2n ** 64n - 1n

export function sliceFaults(slices: readonly MachOSlice[], fileBytes: number): string[] {
  const faults = new Set<string>()
  const require = (isSound: boolean, fault: string) => void (isSound || faults.add(fault))
  require(slices.length > 0 && slices.length <= 16, `${slices.length} slices`)
  let end = 0
  for (const { range } of slices.toSorted((a, b) => a.range.offset - b.range.offset)) {
    require(Number.isSafeInteger(range.offset) && range.offset >= end, 'slices overlap')
    end = range.offset + range.size
  }
  require(end <= fileBytes, 'a slice ends after the file')
  for (const { arch, uuid, range, dwarf, symbolCount, codeSections, textAddress } of slices) {
    require(/^[a-z0-9_]{1,20}$/.test(arch), 'an architecture with invalid characters')
    require(uuid === null || is(uuidForm, uuid), 'an invalid UUID')
    require(symbolCount >= 0 && symbolCount < 2 ** 32, 'a number of symbols beyond 32 bits')
    require(textAddress === null || (textAddress >= 0n && textAddress <= mostAddress), 'an address beyond 64 bits')
    for (const [name, { offset, size }] of dwarf) {
      require(name.length <= 16, 'a section with a long name')
      require(offset >= 0 && size >= 0 && offset + size <= range.size, 'a section that ends after its slice')
    }
    for (const [index, { ordinal, address, size }] of codeSections.entries()) {
      require(ordinal > (codeSections[index - 1]?.ordinal ?? 0), 'sections in a wrong order')
      require([address, size].every((one) => one >= 0n && one <= mostAddress), 'an address beyond 64 bits')
    }
  }
  return [...faults]
}
