/** The parts of the decoders that are used. These packages have no types. */

declare module 'pngjs' {
  export class PNG {
    constructor(options: { width: number; height: number })
    data: Buffer
    width: number
    height: number
    static sync: {
      /** Returns 4 bytes for each pixel. */
      read(bytes: Buffer): { width: number; height: number; data: Buffer }
      write(image: { width: number; height: number; data: Uint8Array }, options?: { deflateLevel?: number }): Buffer
    }
  }
}

declare module 'omggif' {
  export class GifReader {
    constructor(bytes: Uint8Array)
    readonly width: number
    readonly height: number
    frameInfo(index: number): { x: number; y: number; width: number; height: number }
    decodeAndBlitFrameRGBA(index: number, pixels: Uint8Array): void
  }
}
