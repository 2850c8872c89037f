// A foreign EventSource follows a player: it must see an event at once.
import { imported } from './imported.js';

interface Source {
  readonly close: () => void;
  readonly addEventListener: (type: string, listener: (event: { readonly lastEventId: string }) => void) => void;
}

interface Package {
  readonly EventSource: new (url: string) => Source;
}

const [folder = '', name = '', url = '', playerId = '', planetId = ''] = process.argv.slice(2);
/** A stream that is held back shows an event with the next comment, after 15 s. */
const AT_ONCE_MS = 5_000;

const { EventSource } = await imported<Package>(folder, name);
const source = new EventSource(`${url}/api/event/player/${playerId}/stream?since=0`);
const seen = (type: string): Promise<{ readonly lastEventId: string }> =>
  new Promise((resolve) => source.addEventListener(type, resolve));
await seen('player_created');

const started = seen('building_started');
const response = await fetch(`${url}/api/building/upgrade`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ planetId, buildingType: 'iron_mine' }),
});
if (!response.ok) throw new Error(await response.text());
const sentMs = performance.now();
const { lastEventId } = await started;
const delayMs = performance.now() - sentMs;
if (delayMs > AT_ONCE_MS) throw new Error(`an event was seen after ${delayMs} ms`);
if (!/^\d+$/.test(lastEventId)) throw new Error(`the id of an event is ${lastEventId}`);
source.close();
console.log(`an event is seen after ${delayMs.toFixed(0)} ms`);
// Some keep their connections open.
process.exit(0);
