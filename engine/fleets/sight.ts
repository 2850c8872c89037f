// What scouts see of a planet, and what the planet's owner sees of a foreign fleet on its way to it. Both follow from the anti_spy
// level and the number of scouts.

/** Whether scouts see the ships of a planet, and its buildings. They always see the stocks. */
export function sightOfScouts(
  scouts: number,
  antiSpyLevel: number,
): { readonly ships: boolean; readonly buildings: boolean } {
  return { ships: scouts > antiSpyLevel, buildings: scouts > 2 * antiSpyLevel };
}

/** Whether the owner of a planet sees the mission and the number of ships of a fleet, and how many there are of each type. */
export interface SightOfFleet {
  readonly mission: boolean;
  readonly types: boolean;
}

/**
 * What the owner of a planet sees of a fleet. The owner always sees when the fleet arrives, whose it is and from which system it comes.
 */
export function sightOfDefender(antiSpyLevel: number, scouts: number): SightOfFleet {
  return { mission: antiSpyLevel > scouts, types: antiSpyLevel > 2 * scouts };
}
