// The types that have a special part in the rules, by name. A bot in a world whose rules have no such type does without.
export const SHIPYARD = 'shipyard';
export const ANTI_SPY = 'anti_spy';
export const SHIELD = 'planetary_shield';
export const SCOUT = 'scout';
export const COLONY_SHIP = 'colony_ship';
