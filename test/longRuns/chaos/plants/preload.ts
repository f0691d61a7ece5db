/** Loaded by `node --import`. Changes source files while they are read, by the plant that CHAOS_PLANT names. */
import { registerHooks } from 'node:module'
import { patched, sourceOf } from './patch.ts'
import { plantNamed } from './plants.ts'

const { CHAOS_PLANT: name } = process.env
const patches = name === undefined ? [] : plantNamed(name).patches

registerHooks({
  load(asked, context, nextLoad) {
    const loaded = nextLoad(asked, context)
    const own = patches.filter((patch) => sourceOf(patch).href === asked)
    if (own.length === 0 || loaded.source === undefined || loaded.source === null) return loaded
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    return { ...loaded, source: own.reduce(patched, text) }
  },
})
