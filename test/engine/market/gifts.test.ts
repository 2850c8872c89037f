// Whatever players offer, take, withdraw and let expire, together or against each other: by the values of the rules no planet gains more by trades
// in a period of deliveries than other players may bring it.

import t from 'tap';
import { deliverableUnits } from '../../../engine/fleets/deliveries.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import type { Lot } from '../../../engine/terms/lots.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import { TRADING } from '../../support/market-rules.js';
import { shortOrLong } from '../../support/process/lengths.js';
import fc from '../../support/properties.js';
import { firstPlanet, MINUTE_MS, PLENTY, WorldStory } from '../../support/world-story.js';

const RULES = ruleSetText(TRADING);
const { values } = TRADING.market;
const HIGHEST = Math.max(...values);
const PLAYERS = 4;

const units = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 }));
const resource = fc.integer({ min: 0, max: 3 });
const moves = fc.array(
  fc.record({
    kind: fc.constantFrom('offer', 'offer', 'take', 'take', 'take', 'withdraw', 'wait'),
    by: fc.nat(PLAYERS - 1),
    which: fc.nat(20),
    give: fc.record({ resource, units }),
    want: fc.record({ resource, units }),
    to: fc.option(fc.nat(PLAYERS - 1), { freq: 1 }),
  }),
  { minLength: 100, maxLength: 200 },
);

const worthOf = ({ resource, units }: Lot): number => units * (values[resource] ?? 0);

t.test('no planet gains more by trades than others may bring it', async (t) => {
  let gifts = 0;
  let refused = 0;
  const property = fc.property(moves, (moves) => {
    const story = new WorldStory({ rules: RULES, systemsPerGalaxy: 1 });
    const first = firstPlanet(story.bot('trader-0'));
    const others = [1, 2, 3].map((number) => story.colony(story.bot(`trader-${number}`), first));
    const planets: readonly Planet[] = [first, ...others];
    for (const planet of planets) story.grant(planet, PLENTY);
    // What each may receive at first, and what it has gained by trades since then. No building is raised, and all ends in one period.
    const allowed = planets.map((planet) => deliverableUnits(story.world, planet, story.nowMs) * HIGHEST);
    const gained = new Map<number, number>();
    for (const { kind, by, which, give, want, to } of moves) {
      const planet = planets[by] as Planet;
      const { ownerNumber: playerNumber, key: planetKey } = planet;
      const open = planets.flatMap(({ ownerNumber }) => story.world.offers.of(ownerNumber));
      const offer = open[which % (open.length || 1)];
      if (kind === 'wait') story.advance(2 * MINUTE_MS);
      else if (kind === 'offer') {
        const lots = {
          giveResource: give.resource,
          giveUnits: give.units,
          wantResource: want.resource,
          wantUnits: want.units,
        };
        const toNumber = to === null ? null : (planets[to]?.ownerNumber ?? null);
        const lastsMs = 3 * MINUTE_MS;
        story.attempt({ type: 'make_offer', playerNumber, planetKey, ...lots, h2Max: 2_000, toNumber, lastsMs });
      } else if (offer !== undefined && kind === 'withdraw') {
        story.attempt({ type: 'withdraw_offer', playerNumber, offerNumber: offer.number });
      } else if (offer !== undefined) {
        const outcome = story.attempt({ type: 'take_offer', playerNumber, offerNumber: offer.number, planetKey });
        if (isRefusal(outcome)) {
          refused += outcome.code === 'deliveries_used_up' ? 1 : 0;
          continue;
        }
        const gain = worthOf(offer.give) - worthOf(offer.want);
        gained.set(planetKey, (gained.get(planetKey) ?? 0) + Math.max(0, gain));
        gained.set(offer.planetKey, (gained.get(offer.planetKey) ?? 0) + Math.max(0, -gain));
        gifts += gain === 0 ? 0 : 1;
      }
    }
    for (const [index, { key }] of planets.entries()) {
      const gain = gained.get(key) ?? 0;
      if (gain > (allowed[index] as number)) throw new Error(`planet ${key} gained ${gain} of ${allowed[index]}`);
    }
  });
  fc.assert(property, { numRuns: shortOrLong(150, 3_000) });
  t.ok(gifts > 50, `${gifts} trades were gifts in part`);
  t.ok(refused > 20, `${refused} were more than a planet takes`);
});
