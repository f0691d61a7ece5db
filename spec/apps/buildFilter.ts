/** Lists of what belongs to builds: of an app, of one of its versions, of one build. */
import * as v from 'valibot'
import { idOf, text } from '../core/types.ts'

const ofApp = (what: string) =>
  v.pipe(v.nullish(text({ min: 1, max: 100 })), v.description(`${what} Only together with appId.`))

export const buildFilter = {
  appId: v.nullish(idOf('app')),
  version: ofApp('Returns only those of this version of the app.'),
  build: ofApp('Returns only those of this build.'),
}
