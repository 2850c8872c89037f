// The missions that a fleet can have. They are the same under all rules, and their positions are written to disk.

export const MISSIONS = ['attack', 'transport', 'deploy', 'colonize', 'espionage'] as const;
export type MissionName = (typeof MISSIONS)[number];
export const ATTACK = 0;
export const TRANSPORT = 1;
export const DEPLOY = 2;
export const COLONIZE = 3;
export const ESPIONAGE = 4;
