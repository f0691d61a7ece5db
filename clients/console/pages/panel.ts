/**
 * The picture beside the forms: a signalbox's panel. Its blocks are states of runs, jobs, agents and codes, and its lit route is the way
 * of one run. It ends at the form, behind a signal that shows the state of the form. Screen readers ignore it.
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

/** Tracks begin outside the picture, however wide the screen is. */
const tracks: readonly string[] = [
  'M-3000 80H760',
  'M80 80L160 160',
  'M-3000 160H560L640 240',
  'M232 320L312 240H720',
  'M-3000 320H240L320 400',
  'M376 400L456 320H760',
  'M-3000 400H456',
  'M376 480H760',
  'M416 560L496 480',
  'M176 560H680',
  'M140 560L220 640H360',
  'M-3000 640H60L140 720',
  'M-3000 720H420L500 640H760',
]

const route = 'M48 560H184L264 480H376L456 400H760'

/** The ends of tracks, drawn as final states. */
const ends: readonly Point[] = [
  [376, 640],
  [696, 560],
  [736, 240],
]

function renderBlock({ name, at: [x, y], lit }: Block): Html {
  const width = name.length * 7.6 + 30
  return html`<g class="block${lit && ' lit'}"><rect x="${x - width / 2}" y="${y - 17}" width="${width}" height="34" rx="9"/><text x="${x}" y="${y + 4}">${name}</text></g>`
}

const signal = html`<g class="signal"><path d="M672 400v-44"/><rect x="659" y="286" width="26" height="70" rx="13"/><circle class="stop" cx="672" cy="300" r="7"/><circle class="caution" cx="672" cy="321" r="7"/><circle class="clear" cx="672" cy="342" r="7"/></g>`

export const panel: Html = html`<svg class="panel" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" aria-hidden="true" focusable="false"><g class="tracks">${tracks.map((track) => html`<path d="${track}"/>`)}</g>${ends.map(([x, y]) => html`<g class="end"><circle cx="${x}" cy="${y}" r="11"/><circle cx="${x}" cy="${y}" r="5"/></g>`)}<path class="route" d="${route}"/><circle class="begin" cx="48" cy="560" r="8"/>${blocks.map(renderBlock)}${signal}</svg>`
