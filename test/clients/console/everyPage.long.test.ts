/** Every page of the console, on a phone, a laptop and large screens, in light and in dark. */
import { test } from 'node:test'
import { atConsole } from '../../kit/browser/atConsole.ts'
import { assertFaultless } from '../../kit/browser/faults.ts'
import { openPlace, preparePlaces } from '../../kit/browser/places.ts'

const { stage, person, page } = await atConsole()

for (const place of await preparePlaces(stage))
  test(`${place.name} has no faults`, async () => {
    await openPlace(page, place)
    await assertFaultless(page, place.name)
    person.fine()
  })
