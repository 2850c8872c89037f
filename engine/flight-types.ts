// Types of flights and their distances. They are fixed by the contract, not by the rules: a distance is linear in the
// largest unit that differs.
export const FLIGHT_TYPES = ['intraSystem', 'interSystem', 'interGalaxy'] as const;
export type FlightTypeName = (typeof FLIGHT_TYPES)[number];
export const INTRA_SYSTEM = 0;
export const INTER_SYSTEM = 1;
export const INTER_GALAXY = 2;

export const DISTANCE = {
  perSlot: 5,
  betweenSystemsBase: 100,
  perSystem: 20,
  betweenGalaxiesBase: 2100,
  perGalaxy: 500,
} as const;
