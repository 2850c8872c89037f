// Names of players: ordinary ones for pictures, and hostile ones that a page must show as text and nothing else.

const FIRST = ['amber', 'cobalt', 'quiet', 'northern', 'copper', 'lucid', 'patient', 'silver', 'distant', 'bright'];
const SECOND = [
  'heron',
  'fox',
  'otter',
  'falcon',
  'lynx',
  'raven',
  'hare',
  'badger',
  'swift',
  'wolf',
  'crane',
  'stoat',
];

/** Name of an actor by its number, counted from 1; no two are alike. */
export function nameOf(number: number): string {
  const index = number - 1;
  const first = FIRST[index % FIRST.length];
  const second = SECOND[Math.floor(index / FIRST.length + index) % SECOND.length];
  const round = Math.floor(index / (FIRST.length * SECOND.length));
  return round === 0 ? `${first}-${second}` : `${first}-${second}-${round + 1}`;
}

/** Names that try to become markup, to turn the text around them or to be too long; the server accepts them. */
export const HOSTILE_NAMES: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'-alert`1`-' style=color:red",
  'javascript:alert(1)',
  'مرحبا 123 (عالم)',
  'שלום <world> 456',
  'W'.repeat(64),
  'e\u0301\u0302\u0303\u0304 stacked',
  '🚀👾🏴☠️ emoji',
  '{{constructor}} #{7*7} %s',
  '__proto__',
];
