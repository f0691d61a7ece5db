/** Documents like those of a busy installation: most are runs, whose titles are sentences from a few hundred words. */
import type { ActorKind } from '../../../../spec/core/ids.ts'
import type { Searchable } from '../../../../spec/search/searchable.ts'
import { Random } from '../../soak/random.ts'

const verbs = ['fix', 'add', 'remove', 'refactor', 'update', 'review', 'test', 'document', 'speed up', 'rename']
const things = [
  ...[
    'login',
    'checkout',
    'payment',
    'cart',
    'search',
    'settings',
    'profile',
    'upload',
    'export',
    'report',
    'invoice',
    'cache',
  ],
  ...[
    'page',
    'button',
    'service',
    'handler',
    'test',
    'migration',
    'schema',
    'endpoint',
    'crashReport',
    'leak',
    'deployment',
    'timeout',
  ],
]
const projects = ['orders', 'payments', 'catalog', 'mobile', 'web', 'console', 'gateway', 'search']
const syllables = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'he',
  'jo',
  'ki',
  'lu',
  'ma',
  'ne',
  'pro',
  'qua',
  'ri',
  'so',
  'ta',
  'ver',
  'xi',
]

/** Batches, the oldest first. One document in a thousand has the one rare word. */
export function* manyDocuments(count: number, batch: number) {
  const random = new Random(7)
  const rareName = (): string => Array.from({ length: 3 }, () => random.pick(syllables)).join('')
  const project = (): string => `${random.pick(projects)}-${random.below(200)}`
  const sentence = (): string => {
    const words = [random.pick(verbs), 'the', random.pick(things), random.pick(things)]
    if (random.chance(0.5)) words.push('of', random.chance(0.5) ? project() : rareName())
    if (random.chance(0.001)) words.push('quetzalcoatl')
    return words.join(' ')
  }
  const one = (number: number): { kind: ActorKind; found: Searchable } => {
    const place = random.below(1_000)
    if (place < 2)
      return { kind: 'agent', found: { title: `build-mac-${number}`, text: `mac-${number}.local darwin arm64` } }
    if (place < 10) {
      const name = project()
      const text = `/Users/build/src/${name} github.com/acme/${name} main`
      return { kind: 'codebase', found: { title: name, text } }
    }
    if (place < 200) {
      const name = project()
      const title = `feature/${random.pick(things)}-${rareName()}`
      return { kind: 'worktree', found: { title, text: `/Users/build/src/${name}/gateway/${rareName()}Handler.ts` } }
    }
    if (place < 300) return { kind: 'session', found: { title: sentence(), text: '' } }
    return { kind: 'run', found: { title: sentence(), text: `#${number}` } }
  }
  for (let made = 0; made < count; made += batch) {
    yield Array.from({ length: Math.min(batch, count - made) }, (_, index) => one(made + index))
  }
}
