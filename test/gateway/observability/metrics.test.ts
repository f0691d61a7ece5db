/** The response of the metrics listener, parsed as Prometheus does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { registerActorMetrics } from '../../../gateway/observability/actorMetrics.ts'
import { freePort } from '../../kit/program/ports.ts'
import { connect, subscribe } from '../../kit/program/socket.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

interface Family {
  readonly help: string
  readonly type: string
  readonly samples: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

let world: TestGateway
let url: string

before(async () => {
  const port = await freePort()
  const registry = new Registry()
  world = await startTestGateway({
    settings: { metrics: { host: '127.0.0.1', port } },
    options: { metrics: registry },
  })
  registerActorMetrics(registry, () => world.system.load)
  url = `http://127.0.0.1:${port}`
})
after(() => world.stop())

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const quoted = '"(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const label = `[a-zA-Z_][a-zA-Z0-9_]*=${quoted}`
const number = '[+-]?(?:Inf|NaN|\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)'
const help = new RegExp(`^# HELP (${name}) (.*)$`)
const type = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`)
const sample = new RegExp(`^(${name})(?:\\{((?:${label})(?:,${label})*)?\\})? (${number})$`)

/** Parses the text format, version 0.0.4, line by line. @throws if a line has an unknown form or is at a wrong place */
function parse(text: string): ReadonlyMap<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line has an end')
  const families = new Map<string, Family>()
  let told: string | undefined
  let current: string | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, helped, words = ''] = help.exec(line) ?? []
    const [, typed, kind = ''] = type.exec(line) ?? []
    if (helped !== undefined) {
      assert.ok(!families.has(helped), `${helped} occurs twice`)
      told = words
      current = helped
    } else if (typed !== undefined) {
      assert.equal(typed, current, 'HELP and TYPE of a family are adjacent')
      families.set(typed, { help: told ?? '', type: kind, samples: [] })
    } else {
      const [, sampled, labels = '', value = ''] = sample.exec(line) ?? assert.fail(`not a line of the format: ${line}`)
      const family = families.get(current ?? '') ?? assert.fail(`no TYPE before ${line}`)
      const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      assert.ok(
        suffixes.some((suffix) => sampled === `${current}${suffix}`),
        `${sampled} is no sample of ${current}`,
      )
      const pairs = [...labels.matchAll(new RegExp(label, 'g'))].map(([pair]) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 2, -1)] as const
      })
      family.samples.push({
        name: sampled ?? '',
        labels: Object.fromEntries(pairs),
        value: value.endsWith('Inf') ? Number(value.replace('Inf', 'Infinity')) : Number(value),
      })
    }
  }
  return families
}

async function scrape(): Promise<ReadonlyMap<string, Family>> {
  const response = await fetch(`${url}/metrics`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4; charset=utf-8$/)
  return parse(await response.text())
}

test('the metrics have the Prometheus format after all kinds of requests', async () => {
  const { token } = await world.signIn()
  const session = { authorization: `Bearer ${token}` }
  await world.graphql('{ health }', {}, session)
  await world.graphql('{ nothing }', {}, session)
  for (const path of ['/', '/api/none"\\\n', `/api/${encodeURIComponent('"}\\ 1\n')}`, '/api/public/health'])
    await fetch(`${world.url}${path}`)
  await fetch(`${world.url}/api/graphql`, { method: 'POST', body: '{' })
  const client = connect(world.wsUrl, session)
  await world.append('measured', 0, ['one'])
  await subscribe(client, 'subscription { logAdded(name: "measured") { sequence } }').reached(1)

  const families = await scrape()
  for (const [family, { help: words, type: kind, samples }] of families) {
    assert.ok(words.length > 0, `${family} has no help`)
    assert.match(family, /^signalbox_/)
    if (kind === 'counter') assert.match(family, /_total$/)
    const lines = samples.map(({ name: one, labels }) => `${one} ${JSON.stringify(Object.entries(labels).sort())}`)
    assert.equal(new Set(lines).size, lines.length, `${family} has a sample twice`)
    for (const { value } of samples) assert.ok(value >= 0, `${family} is ${value}`)
  }
  const { type: kind, samples } = families.get('signalbox_http_request_seconds') ?? assert.fail('no requests')
  assert.equal(kind, 'histogram')
  const key = ({ method, route, status }: Readonly<Record<string, string>>) => `${method} ${route} ${status}`
  for (const { labels, value } of samples.filter((one) => one.name.endsWith('_count'))) {
    const buckets = samples.filter((one) => one.labels.le !== undefined && key(one.labels) === key(labels))
    const values = buckets.map((one) => one.value)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
      'buckets are cumulative',
    )
    assert.deepEqual([buckets.at(-1)?.labels.le, values.at(-1)], ['+Inf', value])
  }
  assert.equal(families.get('signalbox_subscriptions')?.samples[0]?.value, 1)
  await client.dispose()
})

test('the metrics count actors in memory, waiting messages, effects in flight, transitions and commits', async () => {
  const value = async (family: string) => (await scrape()).get(family)?.samples.map((one) => one.value)
  const kinds = [...(await scrape())].filter(([one]) => /actors|messages|effects|transitions|commits/.test(one))
  assert.deepEqual(Object.fromEntries(kinds.map(([one, { type: kind }]) => [one, kind])), {
    signalbox_actors_in_memory: 'gauge',
    signalbox_actors_quarantined: 'gauge',
    signalbox_messages_waiting: 'gauge',
    signalbox_effects_in_flight: 'gauge',
    signalbox_effects_quarantined: 'gauge',
    signalbox_transitions_total: 'counter',
    signalbox_commits_total: 'counter',
  })
  const [inMemory = 0] = (await value('signalbox_actors_in_memory')) ?? []
  const [transitions = 0] = (await value('signalbox_transitions_total')) ?? []
  await world.signIn()
  assert.deepEqual(await value('signalbox_actors_in_memory'), [inMemory + 2])
  assert.deepEqual(await value('signalbox_transitions_total'), [transitions + 2])
  assert.deepEqual(await value('signalbox_messages_waiting'), [0])
})

test('the port of the metrics serves no other path', async () => {
  for (const path of ['/', '/metrics/', '/api/graphql']) assert.equal((await fetch(`${url}${path}`)).status, 404)
})
