// How large the worlds of a tournament are: so small that everybody has neighbours whom even a slow fleet reaches in some hours, and so
// large that there are places to settle and to fight for.

/** Players begin in one or two systems each. The others lie between them, and are free. */
export const SYSTEMS_PER_PLAYER = 3;

/**
 * Returns the systems of each galaxy in a game. Newcomers are spread over all systems of the first galaxy before a system gets a second one,
 * so with two starter planets each, two systems of three are inhabited, and neighbours are one or two systems apart.
 *
 * @param players of the game
 */
export function systemsForPlayers(players: number): number {
  return SYSTEMS_PER_PLAYER * players;
}
