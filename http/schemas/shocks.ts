// Schemas of shocks.
import type { Static } from 'typebox';
import { SHOCK_EFFECTS } from '../../engine/rules/shock-effects.js';
import { Type } from '../../persistence/typebox.js';
import { count, flag, galaxyIndex, listOf, oneOf, orNull, resourceName, shownId, timestamp } from './primitives.js';

/** What a shock is, in replies and in the data of events. */
export const shock = {
  id: shownId('Shock id.'),
  type: Type.String({ description: 'Its type, as in `shocks` of the rules.' }),
  galaxyIndex,
  effect: oneOf(
    [...SHOCK_EFFECTS],
    '`output`: planets produce another share. `pirates`: they take from idle stocks. `bounty`: attackers may take more from a player.',
  ),
  resource: orNull(resourceName, 'Whose output changes; null for other effects.'),
  percent: count(
    'Output in per cent of the usual; what pirates take of what lies idle; or what each attacker may take, in per cent of the usual.',
  ),
  idleSeconds: orNull(
    Type.Integer({ minimum: 0 }),
    'Pirates leave what all planets of a player produce in this time, at speed 1; null for other effects.',
  ),
  playerId: orNull(Type.String(), 'On whom the bounty lies; null for other effects.'),
  startsAt: timestamp('When it begins.'),
  endsAt: timestamp('When it is over; pirates come at once.'),
};

export const Shock = Type.Object(
  {
    ...shock,
    announcedAt: timestamp('When it was announced.'),
    hasBegun: flag('Whether it has begun.'),
  },
  { description: 'A shock of a galaxy.' },
);
export type ShockBody = Static<typeof Shock>;

export const Shocks = Type.Object({
  shocks: listOf(Shock, 'Announced shocks that are not over, in the order of their announcements.'),
  nextAnnouncementAt: orNull(
    timestamp('When the next shocks are announced.'),
    'When the next shocks are announced; null if the rules have none.',
  ),
});
export type ShocksBody = Static<typeof Shocks>;
