/** A decoded image: 4 bytes for each pixel (red, green, blue, alpha), line by line. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Turns or mirrors an image by its EXIF orientation (1 to 8). */
export function orient(image: Pixels, orientation: number): Pixels {
  if (orientation === 1) return image
  const { width, height, data } = image
  const isTurned = orientation >= 5
  const [outWidth, outHeight] = isTurned ? [height, width] : [width, height]
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  const isFlippedX = [2, 3, 7, 8].includes(orientation)
  const isFlippedY = [3, 4, 6, 7].includes(orientation)
  for (let y = 0; y < outHeight; y++)
    for (let x = 0; x < outWidth; x++) {
      const [u, v] = isTurned ? [y, x] : [x, y]
      const sourceX = isFlippedX ? width - 1 - u : u
      const sourceY = isFlippedY ? height - 1 - v : v
      to[y * outWidth + x] = from[sourceY * width + sourceX] ?? 0
    }
  return { width: outWidth, height: outHeight, data: new Uint8Array(to.buffer) }
}
