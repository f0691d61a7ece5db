/** Contents in pieces. */
import { deepEqual } from 'node:assert/strict'
import { describe } from 'node:test'
import { itIn, type OpenDatabase } from './storages.ts'

export function contentsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: contents`, () => {
    it('keeps the pieces of contents in their order, each as it was first written', async ({ contents }) => {
      const all = async (owner: string) => {
        const texts: string[] = []
        for await (const piece of contents.read(owner)) texts.push(Buffer.from(piece).toString())
        return texts
      }
      const expected = Array.from({ length: 40 }, (_, number) => `piece ${number}`)
      for (const [number, text] of expected.entries()) await contents.keep('a', number, Buffer.from(text), 1)
      await contents.keep('a', 3, Buffer.from('another'), 1)
      await contents.keep('b', 0, Buffer.from([0]), 1)
      deepEqual(await all('a'), expected)
      deepEqual([await all('b'), await all('none')], [['\0'], []])
    })
  })
}
