/**
 * The time of a crash, as Apple's systems write it: in the calendar and with the digits of the device. Examples:
 * `2026-01-05 09:30:00.1234 +0100`, `2569-01-05 9:30:00.123 PM +0700`, `٢٠٢٦-٠١-٠٥ ٠٩:٣٠:٠٠٫١٢٣٤ +0300`.
 */
const form =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[ T]+(\d{1,2})[:.](\d{2})[:.](\d{2})(?:[.,٫](\d{1,9}))? *(\p{L}[\p{L}. ]{0,20}?)? *(?:([+-])(\d{2}):?(\d{2})|Z)$/u

/** The calendar of Thailand counts from 543 BC. */
const buddhistYears = 543
const firstPhone = 2007

/** Marks of the afternoon, in lower case and without dots. Other marks are those of the morning. */
const afternoons: ReadonlySet<string> = new Set(['pm', '午後', '下午', '오후', 'ch', 'م', 'μμ', 'nachm', 'popołudniu'])

/**
 * @param nowYear the current year
 * @returns RFC 3339, or null if the text is no such time
 */
export function readCrashTime(text: string, nowYear: number): string | null {
  // A text of this length is no time, and the expression need not see it.
  if (text.length > 80) return null
  const plain = text
    .replaceAll(/\p{Nd}/gu, (digit) => String(toNumber(digit)))
    .replaceAll(/[\s\u200e\u200f\u061c]+/gu, ' ')
    .trim()
  const found = form.exec(plain)
  if (found === null) return null
  const [
    ,
    years,
    months,
    days,
    hours,
    minutes,
    seconds,
    fraction = '',
    mark,
    sign,
    zoneHours = '0',
    zoneMinutes = '0',
  ] = found
  const year = Number(years) > nowYear + 1 ? Number(years) - buddhistYears : Number(years)
  if (year < firstPhone || year > nowYear + 1) return null
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  const milliseconds = Number(`${fraction}000`.slice(0, 3))
  const month = Number(months) - 1
  const hour = hourOf(Number(hours), mark)
  const local = Date.UTC(year, month, Number(days), hour, Number(minutes), Number(seconds), milliseconds)
  // A month or a day that does not exist is another one afterwards.
  const date = new Date(local)
  if (date.getUTCMonth() !== month || date.getUTCDate() !== Number(days) || date.getUTCHours() !== hour) return null
  return new Date(local - zone * 60_000).toISOString()
}

function hourOf(hour: number, mark: string | undefined): number {
  if (mark === undefined || hour > 12) return hour
  const isAfternoon = afternoons.has(mark.toLowerCase().replaceAll(/[. ]/g, ''))
  return (hour % 12) + (isAfternoon ? 12 : 0)
}

/** The value of a digit of any script: the digits of a script have consecutive code points, from 0 to 9. */
function toNumber(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}
