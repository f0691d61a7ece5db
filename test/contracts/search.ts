/**
 * The results of every search, and their order. Among word matches, the contract defines the order only if they differ in titles
 * and other text. Among titles that are only similar, it defines only which comes first. The rest is the storage's own rank.
 */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import fc from 'fast-check'
import type { SearchDocument, Write } from '../../actors/ports/journal.ts'
import { type ActorKind, siblingId } from '../../spec/core/ids.ts'
import type { SearchQuery } from '../../storage/ports/views.ts'
import type { Storage } from '../../storage/storage.ts'
import { creation, newId, nextWrite } from '../kit/runtime/writes.ts'
import { itIn, type OpenDatabase } from './storages.ts'

const documentOf = (title: string, text = '', version = 1): SearchDocument => ({ version, found: { title, text } })
const removed: SearchDocument = { version: 1, found: undefined }

const made = (kind: ActorKind, title: string, text = ''): Write => creation(kind, { document: documentOf(title, text) })

async function ask({ views }: Storage, text: string, more: Partial<SearchQuery> = {}) {
  return await views.search({ text, limit: 20, ...more })
}

async function titles(storage: Storage, text: string, more: Partial<SearchQuery> = {}): Promise<string[]> {
  return (await ask(storage, text, more)).map(({ title }) => title)
}

export function searchContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: search`, () => {
    it('finds the document of a transition as soon as it is committed, from any process', async (one, two) => {
      const write = made('run', 'Fix the login page', '#12')
      await one.journal.commit([write], [])
      for (const storage of [one, two]) {
        deepEqual(await ask(storage, 'login'), [
          { kind: 'run', id: write.ref.id, title: 'Fix the login page', excerpt: '#12', match: 'WORDS' },
        ])
      }
    })

    it('uses the current document after it was changed, left unchanged, removed and added again', async (one) => {
      const first = made('codebase', 'orders')
      await one.journal.commit([first], [])
      const renamed = nextWrite(first, 'one', { document: documentOf('invoices') })
      await one.journal.commit([renamed], [])
      deepEqual([await titles(one, 'orders'), await titles(one, 'invoices')], [[], ['invoices']])
      const same = nextWrite(renamed, 'one')
      await one.journal.commit([same], [])
      deepEqual(await titles(one, 'invoices'), ['invoices'])
      const gone = nextWrite(same, 'one', { document: removed })
      await one.journal.commit([gone], [])
      deepEqual([await titles(one, 'invoices'), await ask(one, first.ref.id)], [[], []])
      await one.journal.commit([nextWrite(gone, 'one', { document: documentOf('invoices again') })], [])
      deepEqual(await titles(one, 'invoices'), ['invoices again'])
    })

    it('writes no document of a lost transition, and all documents of the others', async (one) => {
      const first = made('agent', 'alpha')
      await one.journal.commit([first], [])
      const lost = { ...nextWrite(first, 'one', { document: documentOf('omega') }), expected: { seq: 9, owner: 'one' } }
      const result = await one.journal.commit([lost, made('agent', 'beta'), creation('job')], [])
      deepEqual([...result.lost], [[0, 'fence']])
      deepEqual(
        [await titles(one, 'omega'), await titles(one, 'alpha'), await titles(one, 'beta')],
        [[], ['alpha'], ['beta']],
      )
    })

    it('writes documents of several kinds in one batch, with any text or none', async (one) => {
      const writes = [
        made('agent', ''),
        creation('run', { document: removed }),
        made('plan', 'tabs\tand\nlines', 'bell\u0007 nul\0 half\ud800'),
        made('workflow', 'x'.repeat(5_000), `${'y'.repeat(1_999)}🦊`),
        made('session', '\u001e\u001f'),
        made('device', "it's \\ 'quoted' \\'", "' : & | ! ( ) * <-> \\"),
      ]
      deepEqual([...(await one.journal.commit(writes, [])).lost], [])
      const [plan] = await ask(one, 'tabs lines')
      deepEqual([plan?.title, plan?.excerpt], ['tabs and lines', 'bell nul half�'])
      equal((await ask(one, 'xxx'))[0]?.title.length, 200)
      deepEqual(await titles(one, 'quoted'), ["it's \\ 'quoted' \\'"])
    })

    describe('finds documents by words', () => {
      const documents: readonly (readonly [title: string, text?: string])[] = [
        ['gateway', '/srv/src/gateway/http.ts'],
        ['my-repo', 'github.com/acme/my-repo main'],
        ['com.example.App'],
        ['fetchUserName'],
        ['HTTPServer v2 (iPhone15,2)'],
        ['Café Größe'],
        ['ＦＵＬＬ ｗｉｄｔｈ'],
        ['ユーザー設定の変更'],
        ['отчёт о сборке'],
        ['🚀 deploy'],
        ['snake_case_name'],
      ]
      const cases: readonly (readonly [text: string, ...titles: string[]])[] = [
        ['http.ts', 'gateway'],
        ['gateway/http.ts', 'gateway'],
        ['src gate', 'gateway'],
        ['my-repo', 'my-repo'],
        ['acme/my-repo', 'my-repo'],
        ['repo acme', 'my-repo'],
        ['com.example.app', 'com.example.App'],
        ['EXAMPLE', 'com.example.App'],
        ['exam', 'com.example.App'],
        ['user', 'fetchUserName'],
        ['userName', 'fetchUserName'],
        ['username', 'fetchUserName'],
        ['fetchUserN', 'fetchUserName'],
        ['fetch user name', 'fetchUserName'],
        ['fetchuser', 'fetchUserName'],
        ['HTTPserver', 'HTTPServer v2 (iPhone15,2)'],
        ['http server', 'HTTPServer v2 (iPhone15,2)'],
        ['iphone15,2', 'HTTPServer v2 (iPhone15,2)'],
        ['iphone 15', 'HTTPServer v2 (iPhone15,2)'],
        ['cafe grosse'],
        ['cafe größe', 'Café Größe'],
        ['CAFE\u0301 GROSE'],
        ['full', 'ＦＵＬＬ ｗｉｄｔｈ'],
        ['設定', 'ユーザー設定の変更'],
        ['ユーザー', 'ユーザー設定の変更'],
        ['変', 'ユーザー設定の変更'],
        ['更', 'ユーザー設定の変更'],
        ['定設'],
        ['ОТЧЕТ', 'отчёт о сборке'],
        ['отчёт', 'отчёт о сборке'],
        ['сбор', 'отчёт о сборке'],
        ['🚀', '🚀 deploy'],
        ['snake name', 'snake_case_name'],
        ['snake_ca', 'snake_case_name'],
        ['gateway nowhere'],
        ['MyRepo', 'my-repo'],
        ['repoMy'],
        ['appGithub'],
      ]
      it('with any characters between them', async (one) => {
        await one.journal.commit(
          documents.map(([title, text]) => made('codebase', title, text)),
          [],
        )
        for (const [text, ...expected] of cases) {
          const hits = (await ask(one, text)).filter(({ match }) => match !== 'SIMILAR')
          deepEqual(
            hits.map(({ title }) => title),
            expected,
            text,
          )
        }
      })

      it('of which only the last can be unfinished, and not with one letter only', async (one) => {
        await one.journal.commit([made('run', 'checkout button'), made('run', 'zebra quagga')], [])
        const words = async (text: string) =>
          (await ask(one, text)).filter(({ match }) => match === 'WORDS').map(({ title }) => title)
        deepEqual(await words('checkout but'), ['checkout button'])
        deepEqual(await words('check button'), [])
        deepEqual(await words('z'), [])
      })
    })

    it('orders hits by their match: the whole title, words of the title, words of the text, similar titles', async (one) => {
      const similar = made('run', 'checkuot')
      const text = made('codebase', 'shop', 'the checkout of it')
      const words = made('run', 'fix checkout')
      const begins = made('run', 'checkout fix')
      const whole = made('workflow', 'Checkout')
      await one.journal.commit([whole, begins, words, text, similar], [])
      const hits = await ask(one, 'checkout')
      deepEqual(
        hits.map(({ title, match }) => [title, match]),
        [
          ['Checkout', 'TITLE'],
          ['checkout fix', 'WORDS'],
          ['fix checkout', 'WORDS'],
          ['shop', 'WORDS'],
          ['checkuot', 'SIMILAR'],
        ],
      )
    })

    it('shows the newest first of hits that are otherwise equal', async (one) => {
      const writes = ['run', 'agent', 'run', 'worktree', 'agent'].map((kind) => made(kind as ActorKind, 'main', 'host'))
      await one.journal.commit(writes, [])
      const newest = writes.map(({ ref }) => ref.id).reverse()
      for (const text of ['main', 'host'])
        deepEqual(
          (await ask(one, text)).map(({ id }) => id),
          newest,
          text,
        )
    })

    it('finds an actor by its ID, and a run by the ID of its job', async (one) => {
      const run = made('run', 'one')
      const other = made('run', `mentions ${run.ref.id}`)
      const session = creation('session', {
        ref: { kind: 'session', id: siblingId('session', run.ref.id) },
        document: documentOf('its twin'),
      })
      await one.journal.commit([run, other, session], [])
      deepEqual(
        (await ask(one, run.ref.id)).map(({ id, match }) => [id, match]),
        [
          [run.ref.id, 'ID'],
          [session.ref.id, 'ID'],
        ],
      )
      deepEqual(
        (await ask(one, ` ${siblingId('job', run.ref.id)} `, { kinds: ['run'] })).map(({ id }) => id),
        [run.ref.id],
      )
      deepEqual(await ask(one, newId('run')), [])
      deepEqual(await ask(one, run.ref.id, { kinds: ['agent'] }), [])
    })

    it('finds only the requested kinds, by words and by similar titles', async (one) => {
      await one.journal.commit(
        [made('run', 'alphabet'), made('plan', 'alphabet'), made('plan', 'alphabet two'), made('run', 'alphaet')],
        [],
      )
      const kinds = async (text: string, ...asked: ActorKind[]) =>
        (await ask(one, text, { kinds: asked })).map(({ kind, title }) => `${kind} ${title}`)
      deepEqual(await kinds('alphabet', 'plan'), ['plan alphabet', 'plan alphabet two'])
      deepEqual((await kinds('alphabet', 'run', 'plan')).length, 4)
      deepEqual(await kinds('zebra two', 'run'), [])
      deepEqual(await kinds('alphabet', 'agent'), [])
    })

    it('finds similar titles, for a typo or the middle of a word, if words find fewer hits than the limit', async (one) => {
      const writes = ['workflow of orders', 'deployment', 'quetzalcoatl'].map((title) => made('run', title))
      await one.journal.commit(writes, [])
      const cases = { wokflow: 0, workflwo: 0, eployme: 1, quetzalcotl: 2, 'quetzl coatl': 2 }
      for (const [text, index] of Object.entries(cases)) {
        const [best, ...rest] = await ask(one, text)
        deepEqual([best?.id, best?.match, rest.length], [writes[index]?.ref.id, 'SIMILAR', 0], text)
      }
      deepEqual(await ask(one, 'zzyzx'), [])
      await one.journal.commit([made('run', 'main')], [])
      deepEqual(await ask(one, 'mac'), [])
      await one.journal.commit([made('run', 'wokflow')], [])
      deepEqual(await titles(one, 'wokflow', { limit: 1 }), ['wokflow'])
      deepEqual(await titles(one, 'wokflow'), ['wokflow', 'workflow of orders'])
    })

    it('returns at most as many hits as the limit', async (one) => {
      await one.journal.commit(
        Array.from({ length: 30 }, (_, index) => made('run', `many ${index}`)),
        [],
      )
      for (const limit of [1, 29, 30, 101]) equal((await ask(one, 'many', { limit })).length, Math.min(limit, 30))
    })

    it('shows the part of a long text around the found words', async (one) => {
      const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`
      await one.journal.commit([made('codebase', 'hay', text)], [])
      const [hit] = await ask(one, 'needle')
      ok(hit?.excerpt !== undefined && /^….*needle.*…$/.test(hit.excerpt) && hit.excerpt.length <= 162, hit?.excerpt)
    })

    it('answers any query, and indexes any text', async (one) => {
      await one.journal.commit([made('run', '100% _done_ \\ sure'), made('run', "o'clock (now) & | ! : * <->")], [])
      const odd = [
        ...[
          "'",
          '"',
          '\\',
          '&',
          '|',
          '!',
          ':',
          '*',
          '()',
          '<->',
          '%',
          '_',
          '$1',
          "';drop table actor;--",
          '\u0301',
          '=run',
          ':*',
        ],
        ...[
          'a & b | !c',
          'foo:*',
          "''",
          "it''s",
          '\0',
          '\ud800',
          '🏳️‍🌈',
          '日本語のとても長い',
          '\u200b',
          '\ufdfa',
          '⑴',
          'İ ß ŉ',
          '́́',
        ],
        ...['x'.repeat(10_000), 'a '.repeat(5_000), '🦊'.repeat(300), 'aB1'.repeat(200), '語'.repeat(5_000)],
      ]
      for (const text of odd) ok(Array.isArray(await ask(one, text)), text)
      deepEqual(await titles(one, "o'clock"), ["o'clock (now) & | ! : * <->"])
      deepEqual(await titles(one, '% _don'), ['100% _done_ \\ sure'])
      const texts = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
      )
      await fc.assert(
        fc.asyncProperty(texts, texts, async (title, text) => {
          const write = made('plan', title, text)
          deepEqual([...(await one.journal.commit([write], [])).lost], [])
          for (const asked of [title, text]) ok((await ask(one, asked)).length <= 20)
        }),
        { numRuns: 60 },
      )
    })

    it('finds every title by its whole text and by each of its words', async (one) => {
      const word = fc.stringMatching(/^[a-zA-Z]{2,9}[0-9]?$/)
      const title = fc
        .array(word, { minLength: 1, maxLength: 5 })
        .chain((words) =>
          fc.constantFrom(' ', '-', '/', '.', '_').map((between) => ({ words, title: words.join(between) })),
        )
      await fc.assert(
        fc.asyncProperty(title, async ({ words, title: whole }) => {
          const write = made('plan', whole)
          await one.journal.commit([write], [])
          for (const text of [whole, whole.toUpperCase(), ...words]) {
            const ids = (await ask(one, text, { limit: 101 })).map(({ id }) => id)
            ok(ids.includes(write.ref.id), `${whole} is not found by ${text}`)
          }
        }),
        { numRuns: 40 },
      )
    })
  })

  describe(`${name}: search documents of existing actors`, () => {
    it('lists the actors without a document of a version, page by page', async ({ journal, searchIndex }) => {
      const old = [creation('run'), creation('run'), creation('run')]
      await journal.commit([...old, made('run', 'new'), creation('job')], [])
      const ids = async (version: number, after?: string, limit = 10) =>
        (await searchIndex.missing('run', version, after, limit)).map(({ id }) => id)
      const expected = old.map(({ ref }) => ref.id)
      deepEqual(await ids(1), expected)
      deepEqual(await ids(1, expected[0], 1), [expected[1]])
      equal((await ids(2)).length, 4)
      await searchIndex.fill(old.map(({ ref }) => ({ ref, document: removed })))
      deepEqual(await ids(1), [])
    })

    it('fills missing documents, and never replaces what a transition has written since', async (one) => {
      const [old, changed, gone] = [creation('run'), creation('run'), creation('run')]
      await one.journal.commit([old, changed, gone], [])
      // Other commits happen between reading the old documents and writing them.
      await one.journal.commit(
        [
          nextWrite(changed, 'one', { document: documentOf('as it is') }),
          nextWrite(gone, 'one', { document: removed }),
        ],
        [],
      )
      const before = [old, changed, gone].map(({ ref }) => ({ ref, document: documentOf('as it was') }))
      await one.searchIndex.fill(before)
      await one.searchIndex.fill(before)
      deepEqual((await ask(one, 'as it')).map(({ id, title }) => [id, title]).sort(), [
        [old.ref.id, 'as it was'],
        [changed.ref.id, 'as it is'],
      ])
      await one.searchIndex.fill([{ ref: changed.ref, document: documentOf('as it is said now', '', 2) }])
      deepEqual(await titles(one, 'said'), ['as it is said now'])
    })

    it('stores which kinds are filled, by version', async ({ searchIndex }, two) => {
      equal(await searchIndex.isFilled('run', 1), false)
      await searchIndex.setFilled('run', 2)
      await searchIndex.setFilled('run', 1)
      deepEqual(await Promise.all([1, 2, 3].map((version) => two.searchIndex.isFilled('run', version))), [
        true,
        true,
        false,
      ])
      equal(await two.searchIndex.isFilled('plan', 1), false)
    })
  })
}
