import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationIn, ServerMessages, startupPacket } from './postgresWire.ts'

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function notification(payload: string): Buffer {
  return message('A', Buffer.concat([Buffer.alloc(4), Buffer.from(`signalbox\0${payload}\0`)]))
}

const row = message('D', Buffer.from('a row that looks like A, a notification'))
const sent = Buffer.concat([row, notification('first'), row, notification('second'), row])

test('only the selected notification is left out, wherever the chunks end', () => {
  const expected = Buffer.concat([row, notification('first'), row, row])
  for (let size = 1; size <= sent.length; size++) {
    const messages = new ServerMessages()
    const parts: Buffer[] = []
    for (let at = 0; at < sent.length; at += size) {
      parts.push(messages.take(sent.subarray(at, at + size), (one) => notificationIn(one) === 'second'))
    }
    assert.deepEqual(Buffer.concat(parts), expected, `chunks of ${size} bytes`)
  }
})

test('the answer to a request for encryption is passed on, and the messages after it are found', () => {
  const messages = new ServerMessages()
  messages.expectBareByte()
  const passed = messages.take(
    Buffer.concat([Buffer.from('N'), notification('first'), row]),
    (one) => notificationIn(one) !== undefined,
  )
  assert.deepEqual(passed, Buffer.concat([Buffer.from('N'), row]))
})

test('a startup packet is recognized when it is complete, and another protocol is refused', () => {
  const packet = Buffer.alloc(12)
  packet.writeUInt32BE(12, 0)
  packet.writeUInt32BE(196_608, 4)
  assert.equal(startupPacket(packet.subarray(0, 11)), 'incomplete')
  assert.equal(startupPacket(packet), 'startup')
  packet.writeUInt32BE(80_877_103, 4)
  assert.equal(startupPacket(packet), 'encryption')
  packet.writeUInt32BE(131_072, 4)
  assert.throws(() => startupPacket(packet), /protocol 131072/)
})
