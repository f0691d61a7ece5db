/** What commands write into the documents is what they would write now. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { drawRun, runPicture } from '../../docs/images/draw.ts'
import { machinesMarkdown, machinesPage } from '../../docs/machines.ts'
import { toolsMarkdown, toolsPage } from '../../docs/tools.ts'

test("docs/machines.md is the machines' own", async () => {
  assert.equal(await readFile(machinesPage, 'utf8'), await machinesMarkdown(), 'write it anew: node docs/machines.ts')
})

test("docs/tools.md is the catalogue's own", async () => {
  assert.equal(await readFile(toolsPage, 'utf8'), toolsMarkdown(), 'write it anew: node docs/tools.ts')
})

test("docs/images/run.svg is the run's machine", async () => {
  assert.equal(await readFile(runPicture, 'utf8'), await drawRun(), 'draw it anew: node docs/images/draw.ts')
})
