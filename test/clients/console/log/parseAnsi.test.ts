/** Lines with terminal colors, as they are drawn and as they are searched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAnsi, plainStyle, stripAnsi } from '../../../../clients/console/app/runs/log/parseAnsi.ts'

const shown = (line: string) =>
  parseAnsi(line).texts.map(({ text, style: { color, bold, dim, underline } }) => {
    const looks = [color, bold && 'bold', dim && 'dim', underline && 'underline'].filter((one) => one !== false)
    return [text, ...looks.filter((one) => one !== undefined)]
  })

const cases: readonly (readonly [what: string, line: string, runs: readonly (readonly unknown[])[]])[] = [
  ['no color', 'plain words', [['plain words']]],
  ['an empty line', '', []],
  ['a color and its end', 'a \u001b[31mred\u001b[0m b', [['a '], ['red', 1], [' b']]],
  ['a bright color', '\u001b[92mgreen', [['green', 10]]],
  [
    'several styles at once',
    '\u001b[1;4;33mloud\u001b[22;24m soft',
    [
      ['loud', 3, 'bold', 'underline'],
      [' soft', 3],
    ],
  ],
  [
    'a true color in one parameter ends with it',
    '\u001b[31m\u001b[38:2::255:0:0;1mx\u001b[38:5:2my',
    [
      ['x', 1, 'bold'],
      ['y', 2, 'bold'],
    ],
  ],
  [
    'a kind of underline, and its end',
    '\u001b[1m\u001b[4:3mx\u001b[4:0my',
    [
      ['x', 'bold', 'underline'],
      ['y', 'bold'],
    ],
  ],
  ['an empty sequence resets', '\u001b[31mred\u001b[mnot', [['red', 1], ['not']]],
  [
    'colors of the palette of 256',
    '\u001b[38;5;4mblue\u001b[38;5;200mstays\u001b[39mown',
    [['blue', 4], ['stays', 4], ['own']],
  ],
  ['a true color is ignored', '\u001b[38;2;1;31;3mas it was', [['as it was']]],
  ['a background color is ignored', '\u001b[48;5;1mas it was', [['as it was']]],
  ['sequences that move the cursor or erase text are left out', 'a\u001b[2K\u001b[1Gb', [['a'], ['b']]],
  ['a link of a terminal', '\u001b]8;;https://x.example\u0007name\u001b]8;;\u0007', [['name']]],
  ['a lone escape', 'a\u001bb', [['a\u001bb']]],
]

for (const [what, line, runs] of cases)
  test(what, () => {
    assert.deepEqual(shown(line), runs)
    assert.equal(stripAnsi(line), runs.map(([text]) => text).join(''))
  })

test('a style continues in the next line', () => {
  const { style } = parseAnsi('\u001b[1mbold')
  assert.deepEqual(parseAnsi('still', style).texts, [{ text: 'still', style: { ...plainStyle, bold: true } }])
})
