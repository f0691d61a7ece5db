import { timingSafeEqual } from 'node:crypto'

/** Compares a given text with a secret one in constant time, so that the time does not reveal where they differ. */
export function isSameText(given: string, secret: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(secret)]
  return left.length === right.length && timingSafeEqual(left, right)
}
