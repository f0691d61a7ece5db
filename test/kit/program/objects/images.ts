/** Small images of each format. Those of 8×4 pixels that are not PNG are written out, as ImageMagick and libwebp have encoded them. */
import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

export type Color = readonly [red: number, green: number, blue: number, alpha?: number]

export const red: Color = [255, 0, 0]
export const blue: Color = [0, 0, 255]

/** @param paint the color of each pixel */
export function makePng(width: number, height: number, paint: (x: number, y: number) => Color): Buffer {
  const image = new PNG({ width, height })
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [r, g, b, a = 255] = paint(x, y)
      image.data.set([r, g, b, a], (y * width + x) * 4)
    }
  return PNG.sync.write(image)
}

/** The colors of the pixels of a PNG, line by line. */
export function readPng(bytes: Uint8Array): { width: number; height: number; at(x: number, y: number): number[] } {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
  return { width, height, at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] }
}

const base64 = (text: string): Buffer => Buffer.from(text, 'base64')

/** Red, with a blue square at the upper left. */
export const gif = base64('R0lGODlhCAAEAPAAAP8AAAAA/yH5BAAAAAAALAAAAAAIAAQAAAIHTIBpye1cAAA7')
/** The first frame is red, the second one blue. */
export const animatedGif = base64(
  'R0lGODlhCAAEAPAAAP8AAAAAACH5BAAAAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAACAAEAAACBYSPqYsFACH5BAAKAAAALAAAAAAIAAQAgAAA/wAAAAIFhI+piwUAOw==',
)
export const redJpeg = base64(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAEAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAHCf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ADoDFU3/2Q==',
)
/** Red, without a loss. */
export const redWebp = base64('UklGRhwAAABXRUJQVlA4TA8AAAAvB8AAAAcQ/Y/+ByKi/wEA')
/** Blue and half transparent. */
export const blueWebp = base64(
  'UklGRl4AAABXRUJQVlA4WAoAAAAQAAAABwAAAwAAQUxQSAoAAAABB1DAiAhERP8DVlA4IC4AAACQAQCdASoIAAQAAUAmJaACdLoAA5gA/vtV4/+lwf/S4P/pcH/pcH8bss4bpAAA',
)
/** The first frame is red. */
export const animatedWebp = base64(
  'UklGRoQAAABXRUJQVlA4WAoAAAASAAAABwAAAwAAQU5JTQYAAAD/////AABBTk1GKAAAAAAAAAAAAAcAAAMAADIAAAJWUDhMDwAAAC8HwAAABxD9j/4HIqL/AQBBTk1GKAAAAAAAAAAAAAcAAAMAADIAAAJWUDhMDwAAAC8HwAAQBxDR/wIGIqL/AQA=',
)

/** Adds the EXIF orientation to a JPEG. */
export function orientJpeg(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from(`49492a00080000000100120103000100000000000000000000000000`, 'hex')
  tiff.writeUInt16LE(orientation, 18)
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

/** A PNG that declares any size, and has this data, compressed. */
export function declarePng(width: number, height: number, data: Buffer, isInterlaced = false): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, isInterlaced ? 1 : 0], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(data)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}
