/**
 * The picture beside the forms: a signalbox's panel, whose blocks are the states of a run and whose lit route is the way that one
 * takes. It ends at the form, behind a signal that shows how the form stands. A picture only: screen readers pass it over.
 */
import { type Html, html } from '../html.ts'

const size = { width: 760, height: 800 } as const

type Point = readonly [x: number, y: number]

interface Block {
  readonly name: string
  readonly at: Point
  readonly lit?: true
}

const blocks: readonly Block[] = [
  { name: 'QUEUED', at: [112, 560], lit: true },
  { name: 'ADMITTED', at: [304, 480], lit: true },
  { name: 'RUNNING', at: [520, 400], lit: true },
  { name: 'SKIPPED', at: [272, 640] },
  { name: 'PAUSED', at: [352, 560] },
  { name: 'WAITING FOR INPUT', at: [576, 480] },
  { name: 'STARTING', at: [304, 400] },
  { name: 'CANCELING', at: [520, 560] },
  { name: 'INCIDENT', at: [572, 320] },
  { name: 'OFFERED', at: [160, 320] },
  { name: 'CONNECTED', at: [352, 240] },
  { name: 'DRAINING', at: [544, 240] },
  { name: 'ISSUED', at: [192, 160] },
  { name: 'CONSUMED', at: [464, 160] },
]

/** Where a track begins that comes from beyond the picture, however wide the screen is. */
const far = -3_000

const tracks: readonly (readonly Point[])[] = [
  [
    [176, 560],
    [680, 560],
  ],
  [
    [140, 560],
    [220, 640],
    [360, 640],
  ],
  [
    [416, 560],
    [496, 480],
    [760, 480],
  ],
  [
    [376, 480],
    [680, 480],
  ],
  [
    [far, 400],
    [456, 400],
  ],
  [
    [376, 400],
    [456, 320],
    [760, 320],
  ],
  [
    [far, 320],
    [240, 320],
    [320, 400],
  ],
  [
    [232, 320],
    [312, 240],
    [720, 240],
  ],
  [
    [far, 160],
    [560, 160],
    [640, 240],
  ],
  [
    [far, 720],
    [420, 720],
    [500, 640],
    [760, 640],
  ],
  [
    [far, 640],
    [60, 640],
    [140, 720],
  ],
  [
    [far, 80],
    [760, 80],
  ],
  [
    [80, 80],
    [160, 160],
  ],
]

const route: readonly Point[] = [
  [48, 560],
  [184, 560],
  [264, 480],
  [376, 480],
  [456, 400],
  [760, 400],
]

/** Where nothing goes on: drawn as final states. */
const ends: readonly Point[] = [
  [376, 640],
  [696, 560],
  [736, 240],
]

function path(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function block({ name, at: [x, y], lit }: Block): Html {
  const width = name.length * 7.6 + 30
  return html`<g class="block${lit && ' lit'}"><rect x="${x - width / 2}" y="${y - 17}" width="${width}" height="34" rx="9"/><text x="${x}" y="${y + 4}">${name}</text></g>`
}

const signal = html`<g class="signal"><path d="M672 400v-44"/><rect x="659" y="286" width="26" height="70" rx="13"/><circle class="stop" cx="672" cy="300" r="7"/><circle class="caution" cx="672" cy="321" r="7"/><circle class="clear" cx="672" cy="342" r="7"/></g>`

export const panel: Html = html`<svg class="panel" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" aria-hidden="true" focusable="false"><g class="tracks">${tracks.map((points) => html`<path d="${path(points)}"/>`)}</g>${ends.map(([x, y]) => html`<g class="end"><circle cx="${x}" cy="${y}" r="11"/><circle cx="${x}" cy="${y}" r="5"/></g>`)}<path class="route" d="${path(route)}"/><circle class="begin" cx="48" cy="560" r="8"/>${blocks.map(block)}${signal}</svg>`
