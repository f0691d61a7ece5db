/** Values at which readers fail. */
import type { Random } from '../../../soak/random.ts'

/** For a field of so many bits: the ends of its range, powers of two and their neighbors, and what is near the sizes of a file. */
export function hostileNumber(random: Random, bits: number, near: readonly number[] = []): bigint {
  const most = (1n << BigInt(bits)) - 1n
  const power = 1n << BigInt(random.below(bits))
  const place = BigInt(Math.trunc(near.length === 0 ? 0 : random.pick(near)))
  const value = random.pick([
    ...[0n, 1n, 2n, most, most - 1n, most >> 1n, (most >> 1n) + 1n],
    ...[power, power - 1n, power + 1n, BigInt(random.below(256)), BigInt(random.below(65_536))],
    ...[place, place, place - 1n, place + 1n, place * 2n, -place, 1n << 53n, (1n << 53n) + 1n],
  ])
  return BigInt.asUintN(bits, value)
}

/** Keys that every object of JavaScript inherits. */
export const inheritedKeys = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'] as const

/** Texts that programs write or take wrongly. */
export function hostileText(random: Random): string {
  return random.pick([
    ...[
      '',
      ' ',
      '\0',
      '\u202e',
      '\u2066a\u2069',
      '\u061c',
      '\ud800',
      '\udc00\ud800',
      '\ufeff',
      '\ufffe',
      '\u2028',
      '\x7f',
    ],
    ...[...inheritedKeys, 'length', 'prototype'],
    ...['../../etc/passwd', '/etc/passwd', 'C:\\a', '..\\a', 'a/../b', './a', '//a', 'a\0b', 'CON'],
    ...['null', 'NaN', '-0', '1e999', '9007199254740993', '-1', '0x', '0xffffffffffffffff', '0x10000000000000000'],
    ...['😀'.repeat(random.between(1, 200)), 'é'.normalize('NFD').repeat(60), '漢'.repeat(random.between(1, 400))],
    ...['a'.repeat(random.pick([99, 100, 101, 254, 255, 256, 999, 1_000, 1_001, 2_000, 4_000, 65_536]))],
    ...[
      `${'a'.repeat(random.between(97, 100))}😀`,
      `${'a'.repeat(random.between(252, 256))}😀b`,
      '%s%n',
      '<a>',
      '&amp;',
      '"',
      '\\',
    ],
    random.text(),
  ])
}

/** Numbers of JSON, as text. Some are no JSON. */
export function hostileJsonNumber(random: Random): string {
  if (random.chance(0.1)) return random.pick(['00', '01', '1.', '.1', '+1', 'NaN', 'Infinity', '0x10', '-'])
  return random.pick([
    ...['0', '-0', '1', '-1', '0.5', '1e999', '-1e999', '1e308', '5e-324', '1e20', '1E400'],
    ...['9007199254740991', '9007199254740992', '9007199254740993', '18446744073709551615', '18446744073709551616'],
    ...['2147483647', '2147483648', '4294967295', '4294967296'],
    String(random.below(2_000)),
  ])
}
