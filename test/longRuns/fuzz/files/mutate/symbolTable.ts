/** Changes of symbol tables with right checksums, and of the sections of Mach-O files with symbols. */
import { checksumOf } from '../../../../../gateway/operations/apps/symbols/pageWriter.ts'
import {
  decodeFoot,
  pageBytes,
  pageContentBytes,
  tableMagic,
} from '../../../../../gateway/operations/apps/symbols/tableFormat.ts'
import type { Random } from '../../../soak/random.ts'
import { mutateNumber, type NumberField } from './bytes.ts'
import { mutateMachO } from './machO.ts'

export const isSymbolTable = (file: Buffer): boolean => file.subarray(0, tableMagic.length).equals(tableMagic)

/** The places of the foot that are set: those of the sections and levels, and the statistics. */
const footBytes = 240

export function mutateSymbols(file: Buffer, random: Random, other: Buffer): Buffer {
  if (isSymbolTable(file)) return signPages(mutateNumber(file, fieldsOfTable(file, random), random))
  if (random.chance(0.2)) return mutateMachO(file, random, other)
  const copy = Buffer.from(file)
  const at = random.below(copy.length + 1)
  // A run of one byte makes long chains of entries of one kind, which refer to one place.
  if (random.chance(0.3)) return copy.fill(random.below(256), at, Math.min(copy.length, at + random.between(1, 400)))
  const bytes = random.pick([1, 1, 1, 2, 4, 8] as const)
  return mutateNumber(copy, [{ at, bytes }], random)
}

function fieldsOfTable(file: Buffer, random: Random): readonly NumberField[] {
  const records = random.chance(0.5) ? fieldsOfRecords(file, random) : []
  if (records.length > 0) return records
  const foot = file.length - pageBytes
  const isInFoot = random.chance(0.5)
  return Array.from({ length: 64 }, (): NumberField => {
    const bytes = random.pick([1, 2, 4, 8] as const)
    return { at: isInFoot ? foot + random.below(footBytes) : random.below(Math.max(1, foot)), bytes }
  })
}

/** The numbers of the records of one kind. */
function fieldsOfRecords(file: Buffer, random: Random): readonly NumberField[] {
  if (file.length % pageBytes !== 0) return []
  const content = (file.length / pageBytes) * pageContentBytes
  const foot = decodeFoot(file.subarray(-pageBytes).subarray(0, pageContentBytes), content)
  if (foot === undefined) return []
  const { nodes, names, files } = foot.sections
  const section = random.pick([nodes, nodes, names, files, ...foot.levels])
  const bytes = foot.levels.includes(section) ? 8 : 4
  const count = Math.min(1_000, Math.floor(section.size / bytes))
  return Array.from(
    { length: count },
    (_, index): NumberField => ({ at: placeInFile(section.offset + index * bytes), bytes }),
  )
}

/** @param at bytes of content, without the checksums of the pages */
export const placeInFile = (at: number): number =>
  at + Math.floor(at / pageContentBytes) * (pageBytes - pageContentBytes)

function signPages(file: Buffer): Buffer {
  const bytes = Buffer.from(file)
  for (let page = 0; (page + 1) * pageBytes <= bytes.length; page++) {
    const content = bytes.subarray(page * pageBytes, page * pageBytes + pageContentBytes)
    bytes.writeUInt32LE(checksumOf(content, page), page * pageBytes + pageContentBytes)
  }
  return bytes
}
