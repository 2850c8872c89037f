// Shocks as plain objects, as replies show them, and as lines of a brief.
import { isProtected } from '../../engine/fleets/protection.js';
import { RESOURCES } from '../../engine/rules/resources.js';
import { BOUNTY, OUTPUT_SHOCK, PIRATES, SHOCK_EFFECTS } from '../../engine/rules/shock-effects.js';
import { keptFromPirates } from '../../engine/shocks/pirates.js';
import { playerId, shockId } from '../../engine/terms/ids.js';
import type { ReadonlyPlayer, ReadonlyShock, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { ShockBody, ShocksBody } from '../schemas/shocks.js';

export function shocksBody(world: ReadonlyWorld): ShocksBody {
  const { rules, shocks } = world;
  return {
    shocks: [...shocks.pending()].map((shock) => shockBody(world, shock)),
    nextAnnouncementAt: rules.shocks === null ? null : isoText(shocks.nextAtMs),
  };
}

function shockBody(world: ReadonlyWorld, shock: ReadonlyShock): ShockBody {
  const { number, type, galaxy, effect, resource, percent, idleMs, playerNumber } = shock;
  return {
    id: shockId(number),
    type,
    galaxyIndex: galaxy,
    effect: SHOCK_EFFECTS[effect] as ShockBody['effect'],
    resource: effect === OUTPUT_SHOCK ? (RESOURCES[resource] ?? null) : null,
    percent,
    idleSeconds: effect === PIRATES ? Math.floor(idleMs / 1000) : null,
    playerId: effect === BOUNTY ? playerId(world, playerNumber) : null,
    startsAt: isoText(shock.startsAtMs),
    endsAt: isoText(shock.endsAtMs),
    announcedAt: isoText(shock.announcedAtMs),
    hasBegun: shock.hasBegun,
  };
}

/** Shocks that are not over, of the galaxies where a player has planets, and bounties on it. */
export function shocksAround({ shocks }: ReadonlyWorld, { number, planets }: ReadonlyPlayer): ReadonlyShock[] {
  if (shocks.size === 0) return [];
  const galaxies = new Set(planets.map(({ key }) => shocks.galaxyOf(key)));
  return [...shocks.pending()].filter(({ galaxy, playerNumber }) => galaxies.has(galaxy) || playerNumber === number);
}

/** What a shock does to a player, in words. */
export function shockLine(world: ReadonlyWorld, shock: ReadonlyShock, player: ReadonlyPlayer): string {
  const { type, galaxyIndex, effect, resource, percent, startsAt, endsAt, hasBegun, ...body } = shockBody(world, shock);
  const what: Readonly<Record<ShockBody['effect'], string>> = {
    output: `planets produce ${percent} % of their ${resource}`,
    pirates: `of each resource pirates take ${percent} % of what a planet of yours holds${world.rules.market === null ? '' : ', open offers included,'} above ${keptText(world, player, shock)}${isProtected(player, shock.startsAtMs) ? ', but you are protected until then' : ''}`,
    bounty: `each attacker may take ${percent} % of the usual from ${body.playerId}`,
  };
  const span = hasBegun ? `now, until ${endsAt}` : `from ${startsAt} to ${endsAt}`;
  const when = effect === 'pirates' ? `at ${startsAt}` : span;
  return `- ${type} in galaxy ${galaxyIndex} ${when}: ${what[effect]}`;
}

/** What pirates leave on a planet, as the output is now. */
function keptText(world: ReadonlyWorld, player: ReadonlyPlayer, shock: ReadonlyShock): string {
  return keptFromPirates(world, player, shock)
    .map((units, resource) => `${RESOURCES[resource]} ${units}`)
    .join(', ');
}
