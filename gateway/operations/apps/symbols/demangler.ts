/** Demangles the names of Swift and C++. It needs no file or program beside its WebAssembly module. */
import { readFileSync } from 'node:fs'

interface DemanglerExports {
  readonly memory: WebAssembly.Memory
  _initialize(): void
  /** The place that the name is written to, and the bytes that it may have. */
  input(): number
  most_input(): number
  /** The place of the result. */
  output(): number
  /** Returns the length of the result, or 0 if the name stays as it is. */
  demangle(length: number): number
}

const module = new WebAssembly.Module(readFileSync(new URL('./native/demangler.wasm', import.meta.url)))

/** A name that comes in a dSYM or a crash report is hostile. It can exhaust the memory of its instance, and the next name gets a new one. */
export class Demangler {
  #instance: Instance | undefined

  /** @returns undefined if the name is not mangled, or not in a known form */
  demangle(name: Uint8Array): Buffer | undefined {
    this.#instance ??= createInstance()
    const { exports, bytes, input, output, mostInput } = this.#instance
    if (name.length > mostInput) return undefined
    bytes.set(name, input)
    try {
      const length = exports.demangle(name.length)
      return length === 0 ? undefined : Buffer.from(bytes.subarray(output, output + length))
    } catch {
      // A trap, or a stack overflow: the state of the instance is unknown.
      this.#instance = undefined
      return undefined
    }
  }

  demangleText(name: string): string {
    return this.demangle(Buffer.from(name))?.toString() ?? name
  }
}

interface Instance {
  readonly exports: DemanglerExports
  readonly bytes: Uint8Array
  readonly input: number
  readonly output: number
  readonly mostInput: number
}

function createInstance(): Instance {
  // The C library can print the reason of an abort. There is no place for it.
  const refuse = () => {
    throw new Error('the demangler has no files')
  }
  const system = { fd_close: refuse, fd_seek: refuse, fd_write: refuse }
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system })
  const exports = instance.exports as unknown as DemanglerExports
  exports._initialize()
  return {
    exports,
    // The memory never grows, so this view stays valid.
    bytes: new Uint8Array(exports.memory.buffer),
    input: exports.input(),
    output: exports.output(),
    mostInput: exports.most_input(),
  }
}
