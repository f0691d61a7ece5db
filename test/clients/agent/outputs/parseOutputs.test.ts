import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Concealer } from '../../../../clients/agent/concealed.ts'
import { parseOutputs } from '../../../../clients/agent/supervisor/parseOutputs.ts'

const parse = (file: string | Uint8Array, secret?: string) =>
  parseOutputs(typeof file === 'string' ? Buffer.from(file) : file, new Concealer(secret))

describe('outputs of a command', () => {
  test('a line has a name and a value, and the first = ends the name', () => {
    const file = 'version=1.4.0\n\nurl=https://example.org/?a=b\nempty=\nlast=no end of line'
    const expected = { version: '1.4.0', url: 'https://example.org/?a=b', empty: '', last: 'no end of line' }
    assert.deepEqual(parse(file), expected)
    assert.deepEqual(parse(''), {})
  })

  test('a value of several lines is the unchanged text between its delimiters', () => {
    const file = 'notes<<END\nfirst = 1\n\n  second << 2\nEND\nnone<<X\nX\nempty<<X\n\nX\nafter=1\n'
    assert.deepEqual(parse(file), { notes: 'first = 1\n\n  second << 2', none: '', empty: '', after: '1' })
  })

  test('the first = or << in a line decides how its value is read', () => {
    assert.deepEqual(parse('a=x<<y\n'), { a: 'x<<y' })
    assert.deepEqual(parse('a<<x=y\nvalue\nx=y\n'), { a: 'value' })
  })

  test('a name that is written again has its last value', () => {
    assert.deepEqual(parse('a=1\nb=2\na=3\n'), { a: '3', b: '2' })
  })

  test('lines may end as on Windows, and the file may begin with a byte order mark', () => {
    assert.deepEqual(parse('\ufeffa=1\r\nb<<E\r\none\r\ntwo\r\nE\r\n'), { a: '1', b: 'one\r\ntwo' })
  })

  test('outputs at the limits of their number and sizes are accepted', () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`.padEnd(50, '_'))
    assert.equal(Object.keys(parse(names.map((name) => `${name}=\n`).join(''))).length, 50)
    const letters = 'ü'.repeat(20_000)
    assert.deepEqual(parse(`a=${letters}`), { a: letters })
    const room = 64 * 1024 - 'a=\n'.length * 4
    const value = 'x'.repeat(room / 4)
    assert.equal(parse(['a', 'b', 'c', 'd'].map((name) => `${name}=${value}\n`).join('')).d, value)
  })

  test('the token of the run is removed from values and messages', () => {
    const secret = 'agent_abcdefghijkl'
    assert.deepEqual(parse(`a=<${secret}>\nb<<E\n${secret}\n${secret}\nE\n`, secret), {
      a: '<agent_***>',
      b: 'agent_***\nagent_***',
    })
    assert.throws(
      () => parse(`${secret}=1\n`, secret),
      (error: Error) => {
        assert.match(error.message, /agent_\*\*\*/)
        assert.doesNotMatch(error.message, /abcdefghijkl/)
        return true
      },
    )
  })
})

const invalid = Buffer.concat([Buffer.from('a=1\nb=2\nc='), Buffer.from([0xc3]), Buffer.from('\n')])
const many = Array.from({ length: 51 }, (_, index) => `n${index}=\n`).join('')
const refused: Readonly<Record<string, readonly [file: string | Uint8Array, message: RegExp]>> = {
  'a line without = or <<': ['a=1\nhello there\n', /line 2: "hello there" is neither name=value nor name<<DELIMITER/],
  'a name that begins with a digit': ['9a=1\n', /line 1: the name "9a" is not allowed. A name begins with a letter/],
  'a name with a space': ['a b=1\n', /line 1: the name "a b" is not allowed/],
  'no name': ['=1\n', /line 1: the name "" is not allowed/],
  'a name of 51 characters': [`${'a'.repeat(51)}=1\n`, /line 1: the name .* is not allowed. .* at most 50/],
  'a reserved name': ['__proto__=1\n', /line 1: the name "__proto__" is reserved/],
  'no delimiter': ['a<<\nx\n', /line 1: "a<<" has no delimiter/],
  'a value without its closing delimiter': [
    'a=1\nb<<END\nx\nEND \n',
    /line 2: the delimiter "END" of "b" does not follow/,
  ],
  '51 outputs': [many, /line 51: a command can have at most 50 outputs/],
  'a value of 20,001 characters': [
    `a=1\nb=${'x'.repeat(20_001)}\n`,
    /line 2: the value of "b" has 20001 characters. At most 20000 are allowed/,
  ],
  'more than 64 KiB': [
    `a=1\n${'#'.repeat(10)}=\n${'b=x\n'.repeat(20_000)}`,
    /line 16383: the file has more than 65536 bytes/,
  ],
  'bytes that are not UTF-8': [invalid, /line 3: it is not UTF-8/],
  'a zero byte': ['a=1\nb=\0\n', /line 2: it has a zero byte/],
}

describe('outputs that break a rule are refused with the line and the rule', () => {
  for (const [what, [file, message]] of Object.entries(refused)) {
    test(what, () => assert.throws(() => parse(file), message))
  }

  test('a message has only the beginning of a long line', () => {
    assert.throws(
      () => parse('x'.repeat(30_000)),
      (error: Error) => error.message.length < 200,
    )
  })
})
