/** The payloads for devices: at most Apple's limit, in each language, for each reason of news. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payloadOf } from '../../../../actors/effects/push/payload.ts'
import { type News, newsItems, newsReasons } from '../../../../spec/devices/news.ts'
import { titleOf } from '../../../../spec/messages/newsTexts.ts'
import { locales } from '../../../../spec/pages/locales.ts'

const run = { kind: 'WORKFLOW', number: 12 } as const
const told = (news: object, locale?: string, agentName: string | null = 'box') =>
  JSON.parse(
    payloadOf(
      {
        notificationId: 'ntf_1',
        subject: { kind: 'run', id: 'run_1' },
        news: { reason: 'RUN_ENDED', at: 1, name: 'Nightly', run, ...news } as News,
        agentName,
      },
      locale,
    ),
  ) as { aps: { alert: { title: string; body: string } } }

const ended = (status: string) => ({ reason: 'RUN_ENDED', status }) as const
const titles: readonly (readonly [string, object, string])[] = [
  ['en', ended('SUCCEEDED'), 'Workflow run 12 succeeded'],
  ['en', ended('TIMED_OUT'), 'Workflow run 12 ran out of time'],
  ['en', { reason: 'WAITING_FOR_INPUT' }, 'Workflow run 12 waits for your answer'],
  ['en', { reason: 'INCIDENT' }, 'Incident in Workflow run 12'],
  ['en', { reason: 'AGENT_LOST', name: 'box' }, 'Agent box is lost'],
  ['en', { reason: 'PLAN_ENDED', status: 'COMPLETED' }, 'A plan was carried out'],
  ['en', { reason: 'DEVICE_ENROLLED' }, 'A device was enrolled'],
  ['en', { reason: 'ACTION_NEEDED', item: 'SIGNING_ASSET_EXPIRING' }, 'Signing asset expires soon'],
  ['de', { reason: 'ACTION_NEEDED', item: 'PUSH_REFUSED' }, 'Push nicht gebaut'],
  ['de_AT', ended('LOST'), 'Workflow-Lauf 12 ging verloren'],
  ['FR', ended('FAILED'), 'Exécution de workflow 12 : échec'],
  ['es-419', ended('CANCELED'), 'Ejecución de flujo 12: cancelada'],
  ['ja-JP', ended('SKIPPED'), 'ワークフロー実行 12 がスキップされました'],
  ['nl', ended('FAILED'), 'Workflow run 12 failed'],
  ['en', { reason: 'AGENT_LOST', name: '{run} {name}' }, 'Agent {run} {name} is lost'],
]

for (const [locale, news, title] of titles) {
  test(`${locale}: ${title}`, () => assert.equal(told(news, locale).aps.alert.title, title))
}

test('the body names the subject of the news, and the agent if there is one', () => {
  assert.equal(told(ended('FAILED')).aps.alert.body, 'Nightly · box')
  assert.equal(told(ended('FAILED'), 'en', null).aps.alert.body, 'Nightly')
})

test('news of each reason has a title in every language, without an unfilled placeholder', () => {
  for (const locale of locales)
    for (const reason of newsReasons)
      for (const news of reason === 'ACTION_NEEDED' ? newsItems.map((item) => ({ item })) : [{ run }, {}]) {
        const title = titleOf({ reason, at: 1, name: 'n', ...news } as News, locale)
        assert.match(title, /^[^{}]+$/, `${locale} ${reason}`)
      }
})

test('a payload with long names stays within the limit of Apple, and no character is cut in half', () => {
  for (const letter of ['a', '"', '\n', '\u{1f680}', '漢']) {
    const payload = payloadOf(
      {
        notificationId: `ntf_${'0'.repeat(26)}`,
        subject: { kind: 'worktreeQueue', id: `que_${'0'.repeat(26)}` },
        news: { reason: 'RUN_ENDED', at: 1, name: letter.repeat(5_000), status: 'FAILED', run },
        agentName: letter.repeat(5_000),
      },
      'ja',
    )
    assert.ok(Buffer.byteLength(payload) <= 4_096, `${letter}: ${Buffer.byteLength(payload)}`)
    assert.ok(JSON.parse(payload).aps.alert.body.isWellFormed())
  }
})
