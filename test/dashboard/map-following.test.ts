// The model of the map at a real server: the documents of the beginning and all frames lead to the documents of the present.
import t from 'tap';
import {
  fleets,
  fleetTotal,
  galaxies,
  moveTo,
  pacts,
  recentEvents,
  takeFleets,
  takeFrame,
  takeMap,
} from '../../dashboard/world/map-state.js';
import { beginWithClient } from '../clients/support/serving-client.js';
import { playEveryEvent } from '../http/support/every-event.js';

t.test('frames lead from one state of the map to another', async (t) => {
  const serving = await beginWithClient(t, {}, { server: { mapFrameMs: 1 } });
  const { galaxyd } = serving;
  const readBoth = async (): Promise<number> => {
    const { body: map } = await galaxyd.get('/api/map');
    const { body: flights } = await galaxyd.get('/api/map/fleets');
    takeMap(map);
    takeFleets(flights);
    return Math.min(map.feedSeq, flights.feedSeq);
  };
  const since = await readBoth();
  moveTo(since);
  const story = playEveryEvent(serving, false);
  let seq = since;
  for await (const frame of galaxyd.mapFrames({ since })) {
    takeFrame(frame);
    seq = frame.seq;
    if (frame.events.some(({ type }) => type === 'speed_changed')) break;
  }
  await story;
  const followed = picture();
  t.ok(recentEvents.value.length > 10, `${recentEvents.value.length} events`);
  t.equal(await readBoth(), seq, 'nothing public has happened since');
  t.same(followed, picture());
});

/** What the model shows, in an order of its own. Cells that nobody owns are left out: only the documents drop their galaxies. */
function picture() {
  const cells = Array.from(galaxies.value.values(), ({ index, planets, owners, owned }) =>
    owners.flatMap((owner, cell) => (owner === 0 ? [] : [[index, planets, cell, owner, owned[cell]]])),
  );
  const legs = Array.from(fleets.values()).sort((one, other) => one.fleet - other.fleet);
  return { cells: cells.flat().sort(), legs, total: fleetTotal.value, pacts: pacts.value };
}
