/** The hash of a call's arguments is that of their canonical JSON, as RFC 8785 has it. */
import { equal, match, notEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashArguments } from '../../../gateway/operations/tools/argumentsHash.ts'

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')

describe('the examples of RFC 8785', () => {
  test('the sample of section 3.2.2, and the bytes of section 3.2.4', () => {
    const sample = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`)
    const bytes = `
      7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e
      75 6d 62 65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30
      2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24
      5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`
    equal(hashArguments(sample), sha256(Buffer.from(bytes.replace(/\s/g, ''), 'hex')))
  })

  test('keys are sorted by their UTF-16 code units (section 3.2.3)', () => {
    const sample = JSON.parse(`{
      "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control", "\\u00f6": "Latin Small Letter O With Diaeresis"
    }`)
    const canonical =
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign",' +
      '"😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
    equal(hashArguments(sample), sha256(canonical))
  })

  /** Appendix B: the bits of a number, and how it is written. */
  const numbers: Readonly<Record<string, string>> = {
    '0000000000000000': '0',
    '8000000000000000': '0',
    '0000000000000001': '5e-324',
    '8000000000000001': '-5e-324',
    '7fefffffffffffff': '1.7976931348623157e+308',
    ffefffffffffffff: '-1.7976931348623157e+308',
    '4340000000000000': '9007199254740992',
    c340000000000000: '-9007199254740992',
    '4430000000000000': '295147905179352830000',
    '44b52d02c7e14af5': '9.999999999999997e+22',
    '44b52d02c7e14af6': '1e+23',
    '44b52d02c7e14af7': '1.0000000000000001e+23',
    '444b1ae4d6e2ef4e': '999999999999999700000',
    '444b1ae4d6e2ef4f': '999999999999999900000',
    '444b1ae4d6e2ef50': '1e+21',
    '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
    '3eb0c6f7a0b5ed8d': '0.000001',
    '41b3de4355555553': '333333333.3333332',
    '41b3de4355555554': '333333333.33333325',
    '41b3de4355555555': '333333333.3333333',
    '41b3de4355555556': '333333333.3333334',
    '41b3de4355555557': '333333333.33333343',
    becbf647612f3696: '-0.0000033333333333333333',
    '43143ff3c1cb0959': '1424953923781206.2',
  }
  for (const [bits, written] of Object.entries(numbers)) {
    test(`the number ${bits} is written ${written}`, () => {
      equal(hashArguments([Buffer.from(bits, 'hex').readDoubleBE()]), sha256(`[${written}]`))
    })
  }
})

test('equal arguments have the same hash in any notation, and other arguments have another hash', () => {
  const one = hashArguments(JSON.parse('{"b": [1.0, {"y": "é", "x": null}], "a": 1e2}'))
  equal(one, hashArguments(JSON.parse('{ "a":100,"b":[1,{"x":null,"y":"\\u00e9"}] }')))
  for (const other of ['{"b":[1,{"x":null,"y":"e"}],"a":100}', '{"b":[{"x":null,"y":"é"},1],"a":100}', '{}']) {
    notEqual(one, hashArguments(JSON.parse(other)))
  }
})

test('missing arguments are hashed as an empty object, and null as null', () => {
  equal(hashArguments(undefined), sha256('{}'))
  equal(hashArguments({}), sha256('{}'))
  equal(hashArguments(null), sha256('null'))
})

test('half characters, which have no canonical form, are hashed as U+FFFD, also in names', () => {
  equal(
    hashArguments(JSON.parse('{"b\\udc00": ["\\ud800x", {"__proto__": "\\udfff"}], "a": 1}')),
    sha256('{"a":1,"b\ufffd":["\ufffdx",{"__proto__":"\ufffd"}]}'),
  )
  equal(hashArguments('\ud800'), sha256('"\ufffd"'))
})

test('arguments may be nested deeper than the stack', () => {
  const deep = (inner: string) => JSON.parse('['.repeat(200_000) + inner + ']'.repeat(200_000))
  match(hashArguments(deep('')), /^[0-9a-f]{64}$/)
  match(hashArguments(deep('"\\ud800"')), /^[0-9a-f]{64}$/)
})

test('the names of built-in properties are hashed like other names', () => {
  equal(
    hashArguments(JSON.parse('{"toJSON": 1, "__proto__": {"a": 1}, "constructor": "x"}')),
    sha256('{"__proto__":{"a":1},"constructor":"x","toJSON":1}'),
  )
})
