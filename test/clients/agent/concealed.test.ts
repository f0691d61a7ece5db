import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Concealer } from '../../../clients/agent/concealed.ts'

const secret = 'agent_abagent_abc'
const concealer = new Concealer(secret)

function passed(pieces: readonly string[]): string {
  const stream = concealer.stream()
  return pieces.map((piece) => stream.take(piece)).join('') + stream.rest()
}

test('a secret is removed from a stream, wherever the stream is cut', () => {
  const text = `before ${secret} between ${secret}${secret} after`
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      assert.equal(passed(pieces), 'before agent_*** between agent_***agent_*** after', pieces.join('|'))
    }
  }
  assert.equal(passed([...text]), 'before agent_*** between agent_***agent_*** after', 'letter by letter')
})

test('text that only begins like a secret is kept, and is held back only until the next text decides', () => {
  assert.equal(passed(['an agent', '_abagent_a', 'bd']), 'an agent_abagent_abd')
  assert.equal(passed(['an agent_ab']), 'an agent_ab')
  const stream = concealer.stream()
  assert.deepEqual([stream.take('Hola'), stream.take('.'), stream.rest()], ['Hol', 'a.', ''])
})

test('bytes other than the secret pass unchanged, also if they are not valid UTF-8', () => {
  const stream = concealer.stream()
  const bytes = Buffer.from([0, 255, 128, 10, ...Buffer.from('größer '), 0xc3])
  assert.deepEqual(stream.takeBytes(bytes), bytes)
  assert.deepEqual(stream.takeBytes(Buffer.from(`\xb6${secret}!`, 'latin1')), Buffer.from('\xb6agent_***!', 'latin1'))
})

test('the secret is removed from texts and names in a value, and a value without it is returned as the same object', () => {
  const value = { a: [1, { [`x${secret}`]: `"${secret}"\n` }], b: null }
  assert.deepEqual(concealer.value(value), { a: [1, { 'xagent_***': '"agent_***"\n' }], b: null })
  const other = { a: 1 }
  assert.equal(concealer.value(other), other)
  assert.equal(concealer.value(undefined), undefined)
})

test('without a secret, no text is changed or held back', () => {
  const nothing = new Concealer(undefined)
  assert.equal(nothing.text(secret), secret)
  assert.equal(nothing.stream().take('agent_'), 'agent_')
  assert.equal(new Concealer('').text('abc'), 'abc')
})

test('passwords are removed wherever the stream is cut, also if one is the beginning or a part of another', () => {
  const passwords = ['pass', 'pass.word', 'word.*', 'abab', 'no']
  const several = new Concealer(secret, passwords)
  const text = `pass pass.word pass.words word.* ababab ${secret} no pas`
  const shown = '*** *** ***s *** ***ab agent_*** no pas'
  assert.equal(several.text(text), shown)
  for (let cut = 0; cut <= text.length; cut++) {
    const stream = several.stream()
    assert.equal(stream.take(text.slice(0, cut)) + stream.take(text.slice(cut)) + stream.rest(), shown, `cut at ${cut}`)
  }
  const stream = several.stream()
  assert.equal([...text].map((letter) => stream.take(letter)).join('') + stream.rest(), shown)
  const ending = several.stream()
  assert.equal(ending.take('the pass') + ending.rest(), 'the ***')
})

test('a password with non-ASCII letters is removed from bytes', () => {
  const stream = new Concealer(undefined, ['Größe']).forBytes().stream()
  const bytes = Buffer.from('eine Größe!')
  const parts = [stream.takeBytes(bytes.subarray(0, 8)), stream.takeBytes(bytes.subarray(8))]
  assert.equal(Buffer.concat(parts).toString(), 'eine ***!')
})
