/** All readers of files that anyone can send. A thread of the fuzzer loads this module. */
import type { FuzzedReader } from '../fuzzedReader.ts'
import { crashReports } from './crashReports.ts'
import { machO } from './machO.ts'
import { plist } from './plist.ts'
import { symbols } from './symbols.ts'
import { zip } from './zip.ts'

export const fuzzedReaders: readonly FuzzedReader[] = [zip, machO, plist, ...crashReports, symbols]
