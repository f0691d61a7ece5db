/** The texts that the agent composes from what a CLI or the control plane sent: prompts with former turns, and errors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formerTurnsReserve, withFormerTurns } from '../../../clients/agent/acp/formerTurns.ts'
import { describeRpcError } from '../../../clients/agent/acp/rpcError.ts'

const turns = ['one', 'two', 'three'].map((word) => ({ prompt: `ask ${word}`, answer: `${word} `.repeat(100) }))

test('if the former turns do not fit, the oldest are left out and counted, and the request stays whole', () => {
  const whole = withFormerTurns({ turns, omitted: 0 }, 'Go on.', 10_000)
  for (const { prompt, answer } of turns) assert.ok(whole.includes(prompt) && whole.includes(answer))
  assert.doesNotMatch(whole, /left out/)
  const part = withFormerTurns({ turns, omitted: 4 }, 'Go on.', 1_400)
  assert.ok(part.length <= 1_400, `${part.length}`)
  assert.match(part, /\(6 earlier turns are left out\.\)/)
  assert.ok(part.includes('ask three') && !part.includes('ask two'))
  assert.ok(part.endsWith('Go on.'))
})

test('a prompt always has the latest former turn: the beginning of its request and the end of its answer', () => {
  for (const letter of ['x', 'é', '語', '🚂']) {
    const long = { prompt: `BEGIN${letter.repeat(50_000)}`, answer: `${letter.repeat(50_000)}END` }
    const request = letter.repeat(10_000)
    const max = Buffer.byteLength(request) + formerTurnsReserve
    const text = withFormerTurns({ turns: [...turns, long], omitted: 0 }, request, max)
    assert.ok(Buffer.byteLength(text) <= max, letter)
    assert.match(text, /BEGIN.*….*….*END/su)
    assert.match(text, /\(3 earlier turns are left out\.\)/)
    assert.ok(text.endsWith(request))
  }
})

test('the description of a CLI error has its details, whichever property contains them', () => {
  const rpc = (message: string, data?: unknown) => Object.assign(new Error(message), { code: -32603, data })
  const described: readonly (readonly [unknown, string])[] = [
    [rpc('Internal error', { details: 'no such model' }), 'Internal error: no such model'],
    [rpc('Internal error.', 'no such model'), 'Internal error: no such model'],
    [rpc('Internal error', { error: { message: 'no such model' } }), 'Internal error: no such model'],
    [rpc('Internal error', { status: 500 }), 'Internal error: {"status":500}'],
    [rpc('Internal error', {}), 'Internal error'],
    [rpc('no such model', { details: 'Error: no such model' }), 'Error: no such model'],
    [rpc('Authentication required'), 'Authentication required'],
    ['gone', 'gone'],
    [undefined, 'undefined'],
  ]
  for (const [error, text] of described) assert.equal(describeRpcError(error), text)
  assert.ok(describeRpcError(rpc('Internal error', 'x'.repeat(10_000))).length < 500)
})
