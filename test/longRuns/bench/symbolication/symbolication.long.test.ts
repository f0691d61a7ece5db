/** A short run of the symbolication bench, with six reports: all parts run, every report gets its names, and they are those of llvm-symbolizer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { CompiledImage } from '../../../kit/program/objects/appImages.ts'
import { compileImage } from './compileImage.ts'
import { measureSymbolication } from './measureSymbolication.ts'

let folder: string
let compiled: CompiledImage

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'symbolication-test-'))
  compiled = await compileImage(folder, 50)
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('reports that come after their symbols, and reports that waited, get the names of llvm-symbolizer', async () => {
  // In each report, 4 of the 5 frames of each of 2 threads belong to the app: 6 × 2 × 4 = 48.
  const shape = { threads: 2, framesPerThread: 5, systemFrames: 1 }
  const figures = await measureSymbolication({ compiled, ...shape, images: 3, reports: 6 })
  assert.deepEqual(
    figures.map(({ reports, frames }) => [reports, frames]),
    [
      [6, 48],
      [6, 48],
    ],
  )
  for (const { what, symbolications, ms, llvmMs } of figures) {
    assert.ok(symbolications >= 6, `${what}: ${symbolications} symbolications of 6 reports`)
    assert.ok(ms > 0 && llvmMs > 0, `${what}: ${ms} ms, and ${llvmMs} ms by LLVM`)
  }
})
