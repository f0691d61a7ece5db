/** Attacks on the WebSocket protocol and on the protocol above it. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientFrame, opcodes, upgradeRequest } from '../../../kit/program/frames.ts'
import type { Random } from '../random.ts'
import { type Attack, judgeRaw, type Target } from '../target.ts'
import { open } from './plain.ts'

const json = (value: unknown): Buffer => clientFrame(JSON.stringify(value))

interface Upgraded {
  readonly socket: Socket
  readonly received: () => string
}

async function upgraded(target: Target, random: Random, protocol?: string): Promise<Upgraded> {
  const opened = open(target, random)
  opened.socket.write(upgradeRequest('/graphql', protocol))
  for (let waited = 0; waited < 100 && !opened.received().includes('\r\n\r\n'); waited++) await sleep(10)
  return opened
}

function params(target: Target, random: Random): Record<string, string> {
  const { apiKey, agent } = target.credentials
  return random.pick([{ 'X-API-Key': apiKey }, { 'X-API-Key': apiKey }, { authorization: `Bearer ${agent}` }, {}])
}

async function initialized(target: Target, random: Random): Promise<Upgraded> {
  const opened = await upgraded(target, random)
  opened.socket.write(json({ type: 'connection_init', payload: params(target, random) }))
  for (let waited = 0; waited < 100 && !opened.received().includes('connection_ack'); waited++) await sleep(10)
  return opened
}

async function finish({ socket, received }: Upgraded, request: string, target: Target, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end && !socket.destroyed && !target.over.aborted) await sleep(20)
  socket.destroy()
  judgeRaw(received(), request, target)
}

const noInit: Attack = {
  name: 'no connection_init',
  run: async (target, random) =>
    await finish(await upgraded(target, random), 'upgrade and nothing more', target, random.pick([10, 500, 12_000])),
}

const wrongProtocol: Attack = {
  name: 'wrong subprotocol',
  run: async (target, random) => {
    const protocol = random.pick(['graphql-ws', 'soap', '', ',,,', 'x'.repeat(2_000), 'a, graphql-transport-ws'])
    await finish(await upgraded(target, random, protocol), `protocol ${protocol}`, target, 100)
  },
}

const follow = 'subscription { agentStatusChanged { id connectionStatus lastSeenAt } }'
const followSteps = 'subscription { actorTransitioned(of: { kind: { kind: RUN } }) { sequence } }'

/** Opens many subscriptions and reads nothing. */
const neverReads: Attack = {
  name: 'subscribes and never reads',
  async run(target, random) {
    const opened = await initialized(target, random)
    opened.socket.pause()
    const queries = [follow, followSteps, '{ agents { id name } machines { definition } }']
    for (let id = 0; id < 60; id++)
      opened.socket.write(json({ type: 'subscribe', id: String(id), payload: { query: random.pick(queries) } }))
    await finish(opened, 'sixty operations, nothing read', target, random.pick([200, 3_000, 15_000]))
  },
}

const hugeFrame: Attack = {
  name: 'huge frame',
  async run(target, random) {
    const opened = await (random.chance(0.5) ? initialized(target, random) : upgraded(target, random))
    const size = random.pick([1_048_577, 4_000_000, 5_000_000, 20_000_000])
    opened.socket.write(clientFrame(Buffer.alloc(size, random.pick(['a', '{', '[', '"'])), random.pick([1, 2])))
    await finish(opened, `a frame of ${size} bytes`, target, 300)
  },
}

const fragments: Attack = {
  name: 'fragmented frames',
  async run(target, random) {
    const opened = await (random.chance(0.5) ? initialized(target, random) : upgraded(target, random))
    const text = Buffer.from(JSON.stringify({ type: 'ping', payload: { text: random.text() } }))
    const parts = random.between(1, 30)
    for (let part = 0; part < parts && !opened.socket.destroyed; part++) {
      const from = Math.floor((text.length * part) / parts)
      const to = Math.floor((text.length * (part + 1)) / parts)
      const opcode = part === 0 ? opcodes.text : opcodes.continuation
      opened.socket.write(clientFrame(text.subarray(from, to), opcode, part === parts - 1 && random.chance(0.8)))
      if (random.chance(0.2)) opened.socket.write(clientFrame(random.bytes(random.below(126)), random.pick([9, 10])))
      if (random.chance(0.3)) await sleep(random.below(30))
    }
    await finish(opened, `fragments of ${text}`, target, 50)
  },
}

const brokenFrames: Attack = {
  name: 'broken frames',
  async run(target, random) {
    const opened = await (random.chance(0.5) ? initialized(target, random) : upgraded(target, random))
    const frame = random.pick([
      random.bytes(random.between(2, 300)),
      Buffer.from([0x81, 0x05, 1, 2, 3, 4, 5]),
      Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
      Buffer.concat([Buffer.from([0x81, 0xff]), Buffer.alloc(12, 0xff)]),
      clientFrame(random.bytes(20), opcodes.text),
      clientFrame(random.bytes(random.below(120)), opcodes.close),
    ])
    opened.socket.write(frame)
    await finish(opened, `frame ${frame.toString('base64')}`, target, 50)
  },
}

const messages: Attack = {
  name: 'messages out of order',
  async run(target, random) {
    const opened = await (random.chance(0.7) ? initialized(target, random) : upgraded(target, random))
    const said: unknown[] = []
    for (let count = random.between(1, 15); count > 0; count--) {
      const id = random.pick(['1', '2', '', 7, null, random.text()])
      const query = random.pick(['{ health }', follow, followSteps, '{ nothing }', random.text(), 5])
      const payload = random.pick<unknown>([{ query }, { query }, { query, variables: [] }, null, [], 'text'])
      const type = random.pick(['subscribe', 'subscribe', 'complete', 'ping', 'pong', 'connection_init', 'next', 8])
      said.push({ type, id, payload })
    }
    for (const message of said) opened.socket.write(json(message))
    if (random.chance(0.3)) opened.socket.resetAndDestroy()
    await finish(opened, JSON.stringify(said), target, 100)
  },
}

export const socketAttacks: readonly Attack[] = [
  noInit,
  wrongProtocol,
  neverReads,
  hugeFrame,
  fragments,
  brokenFrames,
  messages,
]
