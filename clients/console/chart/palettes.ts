/** The colors of a chart: greys and one accent for the way that an actor took. */
export interface ChartPalette {
  readonly paper: string
  readonly frame: string
  readonly region: string
  readonly group: string
  readonly state: string
  readonly border: string
  readonly terminal: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly dash: string
  readonly accent: string
  readonly tint: string
  readonly accentInk: string
}

export const lightPalette: ChartPalette = {
  paper: '#ffffff',
  frame: '#e2e8f0',
  region: '#f8fafc',
  group: '#f1f5f9',
  state: '#ffffff',
  border: '#b6c2d1',
  terminal: '#7c8ba1',
  ink: '#1e293b',
  muted: '#64748b',
  line: '#94a3b8',
  dash: '#b6c2d1',
  accent: '#4f46e5',
  tint: '#eef0ff',
  accentInk: '#ffffff',
}

export const darkPalette: ChartPalette = {
  paper: '#0d1117',
  frame: '#2a313c',
  region: '#11161e',
  group: '#151b24',
  state: '#1a212b',
  border: '#434e5d',
  terminal: '#6f7d90',
  ink: '#e6edf3',
  muted: '#97a3b4',
  line: '#5f6c7d',
  dash: '#434e5d',
  accent: '#8f97ff',
  tint: '#20244a',
  accentInk: '#0d1117',
}
