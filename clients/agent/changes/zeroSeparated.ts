/** Splits output with `-z`, in which each part ends with a zero byte. Names of files can have any other byte, also a line break. */
export async function* splitAtZeros(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const data of output) {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    let from = 0
    for (let to = rest.indexOf(0); to !== -1; to = rest.indexOf(0, from)) {
      yield rest.subarray(from, to)
      from = to + 1
    }
    rest = rest.subarray(from)
  }
}
