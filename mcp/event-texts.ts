// Events as lines of text. Types that this program does not know are shown too.
import type { Shapes } from './galaxyd-client.js';
import { foreign } from './texts.js';

/** Ids, names of types and instants; anything else may have been written by a player. */
const PLAIN = /^[\w.:-]+$/;

/** `7. 2000-01-01T00:04:00.000Z building_completed: planetId planet-1-0-26, buildingType iron_mine, level 2`. */
export function eventText({ seq, at, type, data }: Shapes['GameEvent']): string {
  const members = Object.entries(data).flatMap(([name, value]) => {
    if (value === null) return [];
    return [`${name} ${name === 'name' ? foreign(String(value)) : valueText(value)}`];
  });
  return `${seq}. ${at} ${type}${members.length === 0 ? '' : `: ${members.join(', ')}`}`;
}

/** A step of a plan, as the tool set_plan takes it: `upgrade iron_mine`, `build_ships scout x 2`. */
export function stepText(step: object): string {
  const { count, ...rest } = { count: undefined, ...step };
  return `${Object.values(rest).map(valueText).join(' ')}${count === undefined ? '' : ` x ${valueText(count)}`}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : foreign(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(' + ');
  if (typeof value !== 'object' || value === null) return String(value);
  if ('action' in value) return stepText(value);
  const { count, ...rest } = { count: undefined, ...value };
  const parts = Object.entries(rest).flatMap(([name, one]) => {
    if (one === 0) return [];
    return [name === 'type' || name === 'shipType' ? valueText(one) : `${name} ${valueText(one)}`];
  });
  return [...(count === undefined ? [] : [valueText(count)]), ...parts].join(' ') || 'nothing';
}
