/** The place of a frame in the source, in short and in full. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatLocation, formatPath } from '../../../../clients/console/app/apps/reports/frameText.ts'

type Place = Parameters<typeof formatPath>[0]

const cases: Readonly<Record<string, readonly [place: Place, short: string | undefined, full: string | undefined]>> = {
  'a file with line and column': [
    { file: '/Users/ci/Shop/CartView.swift', line: 42, column: 7 },
    'CartView.swift:42',
    '/Users/ci/Shop/CartView.swift:42:7',
  ],
  'a file without a column': [{ file: 'a/b.c', line: 3, column: null }, 'b.c:3', 'a/b.c:3'],
  'a file without a line has no column either': [{ file: 'a/b.c', line: null, column: 9 }, 'b.c', 'a/b.c'],
  'line 0, which compilers write for generated code': [{ file: 'b.c', line: 0, column: 0 }, 'b.c:0', 'b.c:0:0'],
  'a path of Windows': [{ file: 'C:\\src\\shop.cpp', line: 1, column: null }, 'shop.cpp:1', 'C:\\src\\shop.cpp:1'],
  'a path that ends with a slash': [{ file: '/src/shop/', line: null, column: null }, 'shop', '/src/shop/'],
  'a path of slashes alone': [{ file: '//', line: 5, column: null }, '//:5', '//:5'],
  'no file': [{ file: null, line: 5, column: 1 }, undefined, undefined],
}

for (const [title, [place, short, full]] of Object.entries(cases))
  test(title, () => {
    assert.deepEqual([formatLocation(place), formatPath(place)], [short, full])
  })
